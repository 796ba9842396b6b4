// flags: -std=c23
// Enumerations with a fixed underlying type, wide enumerators, digit separators, binary literals.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

enum small : unsigned char { S0, S1, S200 = 200, S255 = 255 };
enum big : long long { B_MIN = LLONG_MIN, B_NEG = -5'000'000'000, B_POS = 5'000'000'000 };
enum flags : uint16_t { F_A = 0b0001, F_B = 0b0010, F_C = 0b1000'0000'0000'0000 };
enum wide { W0, W1 = 0x1'0000'0000, W2 };
enum fwd : short;
enum fwd : short { FW = -7 };

struct holder { enum small a; enum flags f; enum small b; enum big g; };

static const char *name(enum small s)
{
    switch (s) {
    case S0: return "S0";
    case S1: return "S1";
    case S200: return "S200";
    case S255: return "S255";
    }
    return "?";
}

int main(void)
{
    printf("%zu %zu %zu %zu %zu %zu\n", sizeof(enum small), sizeof(enum big), sizeof(enum flags), sizeof(enum wide), sizeof(enum fwd), sizeof(struct holder));
    enum small s = S255;
    s++;
    printf("%d %s\n", s, name(s));
    s = (enum small)456;
    printf("%d %s\n", s, name(s));
    enum big b = B_NEG;
    printf("%lld %lld %d\n", (long long)b, (long long)(b + B_POS), B_MIN < B_NEG);
    enum flags f = F_A;
    f |= F_C;
    f ^= F_A;
    printf("%x %x\n", f, (unsigned)(uint16_t)~f);
    f <<= 1;
    printf("%x\n", f);
    printf("%lld %lld\n", (long long)W1, (long long)W2);
    enum fwd w = FW;
    printf("%d %d\n", w, w / 2);
    struct holder h = {S200, F_B | F_C, S1, B_MIN};
    h.a -= 201;
    printf("%d %d %d %lld\n", h.a, h.f, h.b, (long long)h.g);
    printf("%d %d %d %lld\n", 0b101010, 1'000'000, 0x7fff'ffff, 0b1111'0000'1111'0000'1111'0000'1111'0000'1111LL);
    printf("%o %g\n", 0'17, 1'234.5'6);
    unsigned total = 0;
    for (enum small i = S0; i < S200; i += 17)
        total = total * 5 + i;
    printf("%u\n", total);
    return 0;
}
