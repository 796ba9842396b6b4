// expect: ok
// selvedge: --check uninitialised
#include <stdio.h>

int main(void)
{
    unsigned char b[8];
    for (int i = 0; i < 8; i++)
        if (i != 5)
            b[i] = (unsigned char)i;
    b[5] = 5;                   /* just in time */
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += b[i];
    if (sum == 28)
        puts("as expected");
    return 0;
}
