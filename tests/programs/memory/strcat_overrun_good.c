// expect: ok
#include <stdio.h>
#include <string.h>

int main(void)
{
    char buf[10] = "";
    const char *parts[] = {"abc", "def", "ghi", ""};
    for (int i = 0; i < 4; i++)
        strcat(buf, parts[i]);
    puts(buf);
    return 0;
}
