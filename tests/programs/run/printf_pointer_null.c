// printf %p of null pointers, %s with precision on unterminated arrays, wide characters, errors to stdout.
#include <stdio.h>
#include <wchar.h>

int main(void)
{
    void *p = NULL;
    printf("[%p] [%10p] [%-10p]\n", p, p, p);
    printf("[%20p] [%-12p] [%2p]\n", p, p, p);
    char raw[4] = {'w', 'x', 'y', 'z'};
    printf("[%.4s] [%.2s] [%6.3s]\n", raw, raw, raw);
    const wchar_t *w = L"wide text";
    printf("[%ls] [%.4ls] [%12ls] [%lc]\n", w, w, w, (wint_t)L'Q');
    int width = 7;
    for (int prec = 0; prec < 6; prec++)
        printf("[%*.*s]", prec % 2 ? width : -width, prec, "abcdefgh");
    puts("");
    fprintf(stdout, "%s %c %d\n", "to stdout", '*', 3);
    setvbuf(stdout, NULL, _IONBF, 0);
    printf("unbuffered %d\n", 1);
    fflush(stdout);
    putc('p', stdout);
    fputc('q', stdout);
    putchar_unlocked('\n');
    printf("%d\n", fflush(stdout));
    return 0;
}
