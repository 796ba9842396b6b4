// alloca and __builtin_alloca: lifetimes to the end of the function, in loops, with alignment, beside VLAs.
#include <alloca.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct cell { int v; struct cell *next; };

static int chain(int n)
{
    struct cell *head = NULL;
    for (int i = 0; i < n; i++) {
        struct cell *c = alloca(sizeof *c);
        c->v = i * i;
        c->next = head;
        head = c;
    }
    int s = 0;
    for (; head; head = head->next)
        s = (s * 3 + head->v) % 10007;
    return s;
}

static size_t join(const char *const *w, int n, char sep)
{
    size_t len = 0;
    for (int i = 0; i < n; i++)
        len += strlen(w[i]) + 1;
    char *b = alloca(len), *p = b;
    for (int i = 0; i < n; i++) {
        p = (char *)memcpy(p, w[i], strlen(w[i])) + strlen(w[i]);
        *p++ = i + 1 < n ? sep : 0;
    }
    puts(b);
    return len;
}

static int rec(int n)
{
    int *a = __builtin_alloca((size_t)(n + 1) * sizeof *a);
    for (int i = 0; i <= n; i++)
        a[i] = n * i;
    int r = n ? rec(n - 1) : 0;
    for (int i = 0; i <= n; i++)
        r = (r + a[i]) % 65521;
    return r;
}

int main(void)
{
    printf("%d %d\n", chain(10), chain(100));
    const char *const w[] = {"warp", "weft", "selvedge", "", "heddle"};
    printf("%zu\n", join(w, 5, '/'));
    printf("%d\n", rec(40));
    int odd = 0;
    for (size_t n = 1; n < 40; n += 3) {
        char *p = alloca(n);
        memset(p, 'x', n);
        odd += (uintptr_t)p % 16 != 0;
        int vla[n];
        vla[n - 1] = (int)n;
        odd += vla[n - 1] != (int)n || p[n - 1] != 'x';
    }
    printf("%d\n", odd);
    double *d = alloca(5 * sizeof *d);
    for (int i = 0; i < 5; i++)
        d[i] = i / 4.0;
    printf("%g %g\n", d[1], d[4]);
    return 0;
}
