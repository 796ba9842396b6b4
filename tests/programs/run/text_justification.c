// Greedy line breaking with left, right, centred and full justification.
#include <stdio.h>
#include <string.h>

static const char text[] =
    "It was a bright cold day in the workshop and the looms were all in motion; the selvedge of the "
    "cloth, woven tight so that it would not fray, ran true from the first pick to the last.";

static void spaces(int n) { while (n-- > 0) putchar('.'); }

static void emit(char words[][16], int from, int to, int width, char mode, int last)
{
    int len = 0, gaps = to - from - 1;
    for (int i = from; i < to; i++)
        len += (int)strlen(words[i]);
    int pad = width - len - gaps;
    putchar('|');
    if (mode == 'r') spaces(pad);
    if (mode == 'c') spaces(pad / 2);
    for (int i = from; i < to; i++) {
        fputs(words[i], stdout);
        if (i + 1 < to) {
            int k = i - from, extra = 0;
            if (mode == 'f' && !last && gaps)
                extra = pad / gaps + (k < pad % gaps);
            spaces(1 + extra);
        }
    }
    if (mode == 'c') spaces(pad - pad / 2);
    if (mode == 'l' || (mode == 'f' && (last || !gaps))) spaces(pad);
    puts("|");
}

static int layout(char words[][16], int n, int width, char mode)
{
    int i = 0, lines = 0;
    while (i < n) {
        int j = i + 1, len = (int)strlen(words[i]);
        while (j < n && len + 1 + (int)strlen(words[j]) <= width)
            len += 1 + (int)strlen(words[j++]);
        emit(words, i, j, width, mode, j == n);
        lines++;
        i = j;
    }
    return lines;
}

int main(void)
{
    char words[64][16];
    int n = 0;
    for (const char *p = text; *p;) {
        size_t k = strcspn(p, " ");
        memcpy(words[n], p, k);
        words[n++][k] = 0;
        p += k;
        p += strspn(p, " ");
    }
    printf("%d words\n", n);
    int total = 0;
    for (const char *m = "lrcf"; *m; m++) {
        printf("mode %c\n", *m);
        total += layout(words, n, *m == 'f' ? 30 : 24, *m);
    }
    printf("%d lines\n", total);
    return total;
}
