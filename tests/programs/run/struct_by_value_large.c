// Structures larger than 16 bytes and register exhaustion: memory class, sret, mixed order.
#include <stdio.h>
#include <string.h>

struct big { int v[10]; };
struct three { double x, y, z; };
struct mix { char name[13]; short s; float f; };
struct di { double d; long i; };
struct huge { unsigned char b[300]; };

static struct big step(struct big b, int k) { for (int i = 0; i < 10; i++) b.v[i] = b.v[(i + k) % 10] + i; return b; }
static struct three cross(struct three a, struct three b)
{
    return (struct three){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static struct mix rename_(struct mix m, const char *n) { strcpy(m.name, n); m.s = (short)(m.s * 2); m.f += .5f; return m; }

static double spill(long a, long b, long c, long d, long e, struct di s, long f, long g, struct di t, double h, struct big big, char z)
{
    return (double)(a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7) + s.d * (double)s.i + t.d * (double)t.i + h + big.v[9] + z;
}
static unsigned hash(struct huge h) { unsigned r = 0; for (int i = 0; i < 300; i++) { r = r * 31 + h.b[i]; h.b[i] = 0; } return r; }
static struct huge fill(unsigned seed) { struct huge h; for (int i = 0; i < 300; i++) h.b[i] = (unsigned char)(seed = seed * 1103515245 + 12345, seed >> 16); return h; }

int main(void)
{
    struct big b = {{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}};
    struct big keep = b;
    b = step(step(b, 3), 7);
    for (int i = 0; i < 10; i++)
        printf("%d/%d ", b.v[i], keep.v[i]);
    puts("");
    struct three t = cross((struct three){1, 2, 3}, cross((struct three){4, 5, 6}, (struct three){7, 8, 10}));
    printf("%g %g %g\n", t.x, t.y, t.z);
    struct mix m = rename_((struct mix){"first", 21, 1.25f}, "second name");
    printf("%s %d %g %zu\n", m.name, m.s, m.f, sizeof m);
    struct di s = {1.5, 4}, u = {0.25, 8};
    printf("%g\n", spill(1, 2, 3, 4, 5, s, 6, 7, u, 100, keep, 'z'));
    struct huge h = fill(42);
    unsigned h1 = hash(h), h2 = hash(h);
    printf("%u %d\n", h1, h1 == h2);
    b = (b.v[0] > 5 ? step : step)(b, 1);
    printf("%d %d\n", b.v[0], step(b, 2).v[3]);
    struct big arr[3] = {b, keep, step(keep, 5)};
    arr[0] = arr[2];
    printf("%d %d\n", memcmp(&arr[0], &arr[2], sizeof arr[0]), arr[1].v[4]);
    return 0;
}
