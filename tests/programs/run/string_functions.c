// strcpy, strncpy, strcat, strncat, strcmp, strncmp, strchr, strrchr, strstr, strlen, strnlen, strdup.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sgn(int x) { return (x > 0) - (x < 0); }

int main(void)
{
    char b[40];
    printf("%d", strcpy(b, "hello") == b);
    printf(" %zu\n", strlen(b));
    memset(b, '#', sizeof b);
    strncpy(b, "abc", 6);
    printf("%d %d %c\n", b[3], b[5], b[6]);
    strncpy(b, "abcdef", 3);
    printf("%.6s|\n", b);
    strcpy(b, "one");
    strcat(b, " two");
    strncat(b, " three", 4);
    strncat(b, "x", 0);
    printf("%s %zu\n", b, strlen(b));
    const char *w[] = {"", "a", "A", "aa", "ab", "b", "\x80", "abc"};
    for (int i = 0; i < 8; i++) {
        for (int j = 0; j < 8; j++)
            printf("%2d/%2d/%2d ", sgn(strcmp(w[i], w[j])), sgn(strncmp(w[i], w[j], 1)), sgn(strcasecmp(w[i], w[j])));
        puts("");
    }
    const char *s = "the cat sat on the mat";
    printf("%td %td %s %d\n", strchr(s, 't') - s, strrchr(s, 't') - s, strchr(s, 'o'), strchr(s, 'z') == NULL);
    printf("%zu %zu\n", (size_t)(strchr(s, 0) - s), strlen(s));
    printf("%td %td %d %d\n", strstr(s, "at") - s, strstr(s, "the m") - s, strstr(s, "dog") == NULL, strstr(s, "") == s);
    printf("%s %d\n", strstr("aaabc", "aab"), strstr("ab", "abc") == NULL);
    printf("%zu %zu\n", strnlen("abcdef", 3), strnlen("ab", 10));
    char *d = strdup(s), *e = strndup(s, 7);
    d[0] = 'T';
    printf("%s|%s|%d\n", d, e, strcmp(d, s) < 0);
    free(d);
    free(e);
    printf("%d %d\n", strncasecmp("HELLO", "helium", 3), sgn(strncasecmp("HELLO", "helium", 4)));
    char *end = stpcpy(stpcpy(b, "chain"), "ed");
    printf("%s %td\n", b, end - b);
    unsigned h = 0;
    for (int n = 0; n < 200; n++) {
        char t[210];
        memset(t, 'a' + n % 26, (size_t)n);
        t[n] = 0;
        h = h * 31 + (unsigned)strlen(t) + (unsigned)(strchr(t, 0) - t);
    }
    printf("%u\n", h);
    return 0;
}
