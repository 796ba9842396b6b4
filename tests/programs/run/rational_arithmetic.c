// Exact rational arithmetic with normalisation; harmonic numbers, Bernoulli numbers, continued fractions.
#include <stdio.h>

typedef long long ll;
typedef struct { ll n, d; } rat;

static ll gcd(ll a, ll b) { while (b) { ll t = a % b; a = b; b = t; } return a < 0 ? -a : a; }
static rat mk(ll n, ll d)
{
    ll g = gcd(n, d);
    if (d < 0)
        g = -g;
    return (rat){n / g, d / g};
}
static rat add(rat a, rat b) { ll g = gcd(a.d, b.d); return mk(a.n * (b.d / g) + b.n * (a.d / g), a.d / g * b.d); }
static rat neg(rat a) { a.n = -a.n; return a; }
static rat sub(rat a, rat b) { return add(a, neg(b)); }
static rat mul(rat a, rat b) { rat x = mk(a.n, b.d), y = mk(b.n, a.d); return (rat){x.n * y.n, x.d * y.d}; }
static rat inv(rat a) { return mk(a.d, a.n); }
static int cmp(rat a, rat b) { rat d = sub(a, b); return (d.n > 0) - (d.n < 0); }
static void show(const char *t, rat a) { if (a.d == 1) printf("%s%lld ", t, a.n); else printf("%s%lld/%lld ", t, a.n, a.d); }

static ll binom(int n, int k) { ll r = 1; for (int i = 1; i <= k; i++) r = r * (n - k + i) / i; return r; }

int main(void)
{
    rat h = {0, 1};
    for (int i = 1; i <= 20; i++) {
        h = add(h, mk(1, i));
        if (i % 5 == 0)
            show("H=", h);
    }
    puts("");
    rat b[17];
    for (int m = 0; m <= 16; m++) {
        b[m] = (rat){m == 0, 1};
        for (int k = 0; k < m; k++)
            b[m] = sub(b[m], mul(mk(binom(m, k), m - k + 1), b[k]));
        if (m < 2 || m % 2 == 0)
            show("B", b[m]);
    }
    puts("");
    rat phi = {1, 1};
    for (int i = 0; i < 30; i++)
        phi = add(mk(1, 1), inv(phi));
    show("phi=", phi);
    printf("%.12f\n", (double)phi.n / (double)phi.d);
    rat x = mk(415, 93);
    printf("cf:");
    for (;;) {
        ll q = x.n / x.d;
        printf(" %lld", q);
        x = sub(x, mk(q, 1));
        if (!x.n)
            break;
        x = inv(x);
    }
    puts("");
    printf("%d %d %d\n", cmp(mk(1, 3), mk(2, 6)), cmp(mk(-1, 2), mk(1, -3)), cmp(mk(7, 8), mk(6, 7)));
    show("", mul(mk(-6, 35), mk(49, -9)));
    show("", inv(mk(-3, 4)));
    puts("");
    return 0;
}
