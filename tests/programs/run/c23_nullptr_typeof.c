// flags: -std=c23
// nullptr, typeof, typeof_unqual, auto, constexpr and keyword bool.
#include <stddef.h>
#include <stdio.h>

constexpr int limit = 12;
constexpr double ratio = limit / 8.0;
constexpr unsigned char table[] = {1, 2, 4, 8, 16};
constexpr struct { int a; char c; } cs = {5, 'k'};
static int squares[limit];
static_assert(limit == 12);
static_assert(sizeof table == 5, "with message");

static const char *kind(int *p) { return p == nullptr ? "null" : "set"; }

#define SWAP(A, B) do { typeof(A) t_ = (A); (A) = (B); (B) = t_; } while (0)
#define MAX(A, B) ({ auto a_ = (A); auto b_ = (B); a_ > b_ ? a_ : b_; })

int main()
{
    int x = 5, *p = nullptr;
    printf("%s %s\n", kind(p), kind(&x));
    nullptr_t n = nullptr;
    p = n;
    printf("%d %d %zu\n", p == NULL, n == nullptr, sizeof(nullptr_t));
    bool b = true, c = false;
    printf("%d %d %zu\n", b, !c, sizeof(bool));
    auto d = 2.5f;
    auto l = 3L * x;
    auto s = "text";
    printf("%g %ld %s %zu %zu\n", d, l, s, sizeof d, sizeof l);
    for (int i = 0; i < limit; i++)
        squares[i] = i * i;
    typeof(squares) copy;
    for (auto i = 0u; i < sizeof copy / sizeof *copy; i++)
        copy[i] = squares[limit - 1 - i];
    printf("%d %d\n", copy[0], copy[11]);
    const int k = 9;
    typeof_unqual(k) m = k;
    m++;
    typeof(int (*)(int *)) q = (typeof(int (*)(int *)))nullptr;
    printf("%d %d\n", m, q == nullptr);
    double u = 1.5, v = -2;
    SWAP(u, v);
    printf("%g %g %d %g\n", u, v, MAX(3, x), MAX(u, v));
    constexpr int local = limit * limit;
    int arr[local / 24];
    printf("%zu %g %d %c %d\n", sizeof arr / sizeof *arr, ratio, table[4], cs.c, cs.a);
    switch (x) { case limit - 7: puts("constexpr case"); break; default: puts("no"); }
    if (nullptr) puts("never"); else puts("nullptr is false");
    struct { int a, b; } z = {};
    int zeros[4] = {};
    printf("%d %d %d\n", z.a, z.b, zeros[3]);
    return 0;
}
