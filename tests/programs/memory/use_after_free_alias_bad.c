// expect: use-after-free line 14
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *text = malloc(32), *word;
    strcpy(text, "hello world");
    word = strchr(text, 'w');
    free(text);
    char *other = malloc(32);           /* may reuse the same block */
    strcpy(other, "something else");
    putchar(word[0]);
    free(other);
    return 0;
}
