// expect: ok
#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argv;
    char buf[8];
    sprintf(buf, "%d", argc > 0 ? 1234567 : 0);
    puts(buf);
    snprintf(buf, sizeof buf, "%d", 123456789);
    puts(buf);
    return 0;
}
