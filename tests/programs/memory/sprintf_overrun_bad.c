// expect: out-of-bounds line 8
#include <stdio.h>

int main(int argc, char **argv)
{
    (void)argv;
    char buf[8];
    sprintf(buf, "%d", argc * 12345678);
    puts(buf);
    return 0;
}
