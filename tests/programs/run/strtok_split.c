// strtok, strtok_r, strspn, strcspn, strpbrk, strsep-like splitting by hand.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <string.h>

static int fields(char *s, char sep, char **out, int max)
{
    int n = 0;
    while (n < max) {
        out[n++] = s;
        s = strchr(s, sep);
        if (!s)
            break;
        *s++ = 0;
    }
    return n;
}

int main(void)
{
    char a[] = "  the quick,,brown;fox  ";
    int n = 0;
    for (char *t = strtok(a, " ,;"); t; t = strtok(NULL, " ,;"))
        printf("%d:[%s] ", ++n, t);
    puts("");
    char b[] = "a=1;b=22;;c=;=4;d";
    char *save1, *save2;
    for (char *t = strtok_r(b, ";", &save1); t; t = strtok_r(NULL, ";", &save1)) {
        printf("{");
        for (char *u = strtok_r(t, "=", &save2); u; u = strtok_r(NULL, "=", &save2))
            printf("<%s>", u);
        printf("}");
    }
    puts("");
    char c[] = "one/two|three";
    printf("%s ", strtok(c, "/"));
    printf("%s ", strtok(NULL, "|"));
    printf("%s ", strtok(NULL, ""));
    printf("%d\n", strtok(NULL, "x") == NULL);
    char d[] = ",,,", e[] = "";
    printf("%d %d\n", strtok(d, ",") == NULL, strtok(e, ",") == NULL);
    char f[] = "x,,y,", *out[8];
    n = fields(f, ',', out, 8);
    printf("%d:", n);
    for (int i = 0; i < n; i++)
        printf("[%s]", out[i]);
    puts("");
    printf("%zu %zu %zu\n", strspn("112233abc", "321"), strcspn("hello, world", " ,"), strcspn("abc", ""));
    printf("%s %d\n", strpbrk("find-first_of", "_-"), strpbrk("none", "xyz") == NULL);
    char g[] = "key : value : more";
    char *colon = strstr(g, " : ");
    *colon = 0;
    printf("'%s' '%s'\n", g, colon + 3);
    char *last = strrchr(colon + 3, ':');
    printf("%td %s\n", last - g, last);
    return 0;
}
