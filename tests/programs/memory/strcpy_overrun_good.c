// expect: ok
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    (void)argv;
    char name[6];
    const char *s = argc > 50 ? "ok" : "fives";
    strcpy(name, s);
    puts(name);
    return 0;
}
