// args: one "two words" -x --flag=value "" last
// argc and argv: contents, termination, modification, option parsing by hand.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    printf("argc %d terminated %d\n", argc, argv[argc] == NULL);
    size_t total = 0;
    for (int i = 1; i < argc; i++) {
        printf("argv[%d] = '%s' (%zu)\n", i, argv[i], strlen(argv[i]));
        total += strlen(argv[i]);
    }
    printf("total %zu\n", total);
    printf("has name %d\n", argv[0] != NULL && argv[0][0] != 0);
    for (int i = 1; i < argc; i++) {
        char *a = argv[i];
        if (!strncmp(a, "--", 2)) {
            char *eq = strchr(a, '=');
            if (eq) {
                *eq = 0;
                printf("long option %s value %s\n", a + 2, eq + 1);
            }
        } else if (a[0] == '-')
            printf("short option %c\n", a[1]);
        else
            printf("operand [%s]\n", a);
    }
    if (argc > 1 && argv[1][0])
        argv[1][0] = 'O';
    printf("%s\n", argv[1]);
    char **p = argv + 1;
    int n = 0;
    while (*p)
        n = n * 3 + (int)strlen(*p++);
    printf("%d\n", n);
    return argc * 10;
}
