// Enumerations: explicit and negative values, arithmetic, switches, bit sets, array bounds, sizes.
#include <stdio.h>

enum plain { P0, P1, P2, P_COUNT };
enum gaps { G_A = 5, G_B, G_C = -3, G_D, G_E = G_A * 2, G_F };
enum wide { W_NEG = -2147483647 - 1, W_POS = 2147483647 };
enum unsig { U_TOP = 0xffffffffu };
enum bits { B_READ = 1 << 0, B_WRITE = 1 << 1, B_EXEC = 1 << 2, B_ALL = B_READ | B_WRITE | B_EXEC };
typedef enum { MON, TUE, WED, THU, FRI, SAT, SUN } day;
struct rec { enum plain p : 2; unsigned x : 6; day d; };

static const char *const names[P_COUNT] = {[P0] = "zero", [P1] = "one", [P2] = "two"};
static day next(day d) { return (day)((d + 1) % 7); }
static int weekend(day d) { return d >= SAT; }
static const char *perm(enum bits b)
{
    static char s[4];
    s[0] = b & B_READ ? 'r' : '-';
    s[1] = b & B_WRITE ? 'w' : '-';
    s[2] = b & B_EXEC ? 'x' : '-';
    return s;
}

int main(void)
{
    printf("%d %d %d %d %d %d\n", G_A, G_B, G_C, G_D, G_E, G_F);
    printf("%zu %zu %zu %zu\n", sizeof(enum plain), sizeof(enum gaps), sizeof(enum wide), sizeof(enum unsig));
    printf("%d %d %u\n", W_NEG, W_POS, (unsigned)U_TOP);
    for (int i = P0; i < P_COUNT; i++)
        printf("%s ", names[i]);
    puts("");
    int work = 0, n = 0;
    for (day d = WED; n < 20; d = next(d), n++)
        work += !weekend(d);
    printf("%d\n", work);
    for (int b = 0; b <= B_ALL; b++)
        printf("%s ", perm((enum bits)b));
    puts("");
    enum bits b = B_ALL;
    b &= (enum bits)~B_WRITE;
    b ^= B_READ;
    printf("%d %s\n", b, perm(b));
    enum gaps g = G_C;
    g++;
    printf("%d %d %d\n", g == G_D, g < 0, g - G_F);
    struct rec r = {P2, 63, SUN};
    r.x += 2;
    printf("%d %u %d %zu\n", (unsigned)r.p, r.x, r.d, sizeof r);
    int hist[P_COUNT] = {0};
    for (int i = 0; i < 50; i++)
        switch ((enum plain)(i * i % 3)) {
        case P0: hist[P0]++; break;
        case P1: hist[P1] += 2; break;
        case P2: hist[P2]++; break;
        case P_COUNT: break;
        }
    printf("%d %d %d\n", hist[0], hist[1], hist[2]);
    enum { LOCAL = 7, OTHER = LOCAL << 2 };
    int arr[OTHER];
    printf("%zu %d\n", sizeof arr / sizeof *arr, -LOCAL / 2);
    return LOCAL;
}
