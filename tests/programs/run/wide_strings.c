// Wide strings and characters: wcslen, wcscpy, wcscmp, wcschr, wmemset, wcstol, towupper.
#include <stdio.h>
#include <wchar.h>
#include <wctype.h>

static unsigned hash(const wchar_t *s) { unsigned h = 0; while (*s) h = h * 31 + (unsigned)*s++; return h; }

int main(void)
{
    wchar_t b[40];
    wcscpy(b, L"hello");
    wcscat(b, L" wide");
    printf("%zu %zu %zu\n", wcslen(b), sizeof(wchar_t), sizeof L"abc");
    printf("%u\n", hash(b));
    printf("%d %d %d\n", wcscmp(b, L"hello wide"), wcscmp(L"a", L"b") < 0, wcsncmp(L"abx", L"aby", 2));
    printf("%td %td %d\n", wcschr(b, L'w') - b, wcsrchr(b, L'e') - b, wcsstr(b, L"lo") == b + 3);
    wmemset(b, L'\u03c0', 3);
    b[3] = 0;
    printf("%x %zu\n", (unsigned)b[2], wcslen(b));
    wmemcpy(b, L"123abc", 7);
    wchar_t *end;
    long v = wcstol(b, &end, 10);
    printf("%ld %td\n", v, end - b);
    for (wchar_t *p = b; *p; p++)
        *p = (wchar_t)towupper((wint_t)*p);
    printf("%lc%lc %d %d\n", (wint_t)b[3], (wint_t)b[5], iswalpha(L'x') != 0, iswdigit(L'x') != 0);
    const wchar_t lit[] = L"\x1F600 \u4e2d\t" L"joined";
    for (size_t i = 0; i < sizeof lit / sizeof *lit; i++)
        printf("%x ", (unsigned)lit[i]);
    puts("");
    wchar_t n[20];
    wcsncpy(n, L"abcdef", 4);
    n[4] = 0;
    printf("%ls %d\n", n, wmemcmp(n, L"abcd", 4));
    wchar_t c = L'é', max = WCHAR_MAX;
    printf("%d %d %d\n", (int)c, max == 2147483647, (wchar_t)-1 < 0);
    printf("%.3f\n", wcstod(L"2.125xyz", &end));
    printf("%zu\n", wcsspn(L"aabbc", L"ab"));
    return 0;
}
