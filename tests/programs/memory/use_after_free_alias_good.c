// expect: ok
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = malloc(32), *word;
    strcpy(text, "hello world");
    word = strchr(text, 'w');
    char *other = malloc(32);
    strcpy(other, "something else");
    putchar(word[0]);
    putchar('\n');
    free(text);
    free(other);
    return 0;
}
