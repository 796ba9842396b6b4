// expect: out-of-bounds line 10
#include <stdio.h>
#include <string.h>

int main(void)
{
    char buf[10] = "";
    const char *parts[] = {"abc", "def", "ghi", "j"};
    for (int i = 0; i < 4; i++)
        strcat(buf, parts[i]);
    puts(buf);
    return 0;
}
