// expect: ok
#include <stdio.h>
#include <string.h>

static const char banner[16] = "read only";

int main(void)
{
    char copy[sizeof banner];
    memcpy(copy, banner, sizeof copy);
    memset(copy, '*', 4);
    puts(copy);
    return 0;
}
