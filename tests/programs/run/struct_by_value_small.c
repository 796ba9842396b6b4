// Small structures passed and returned by value: every SysV register class up to 16 bytes.
#include <stdio.h>

struct f2 { float a, b; };
struct f3 { float a, b, c; };
struct f4 { float a, b, c, d; };
struct d1 { double a; };
struct d2 { double a, b; };
struct di { double a; int b; };
struct id { int a; double b; };
struct fi { float a; int b; };
struct c1 { char c; };
struct c3 { char c[3]; };
struct c7 { char c[7]; };
struct c9 { char c[9]; };
struct s3 { short s[3]; };
struct l2 { long a, b; };
struct lc { long a; char c; };
struct p2 { char *s; int *i; };
struct nest { struct { struct { float x; } in; } out; struct { short y; char z; } o2; double w; };

static struct f2 r_f2(struct f2 v) { v.a += 1; v.b *= 2; return v; }
static struct f3 r_f3(struct f3 v) { v.a += v.c; v.c = v.b; return v; }
static struct f4 r_f4(struct f4 v) { float t = v.a; v.a = v.d; v.d = t; return v; }
static struct d1 r_d1(struct d1 v) { v.a = -v.a; return v; }
static struct d2 r_d2(struct d2 v) { v.a += v.b; return v; }
static struct di r_di(struct di v) { v.a += v.b; v.b++; return v; }
static struct id r_id(struct id v) { v.b += v.a; v.a--; return v; }
static struct fi r_fi(struct fi v) { v.a += (float)v.b; v.b *= 3; return v; }
static struct c1 r_c1(struct c1 v) { v.c++; return v; }
static struct c3 r_c3(struct c3 v) { char t = v.c[0]; v.c[0] = v.c[2]; v.c[2] = t; return v; }
static struct c7 r_c7(struct c7 v) { for (int i = 0; i < 6; i++) v.c[i]++; return v; }
static struct c9 r_c9(struct c9 v) { for (int i = 0; i < 8; i++) v.c[i]--; return v; }
static struct s3 r_s3(struct s3 v) { v.s[1] = (short)(v.s[0] + v.s[2]); return v; }
static struct l2 r_l2(struct l2 v) { long t = v.a; v.a = v.b; v.b = t; return v; }
static struct lc r_lc(struct lc v) { v.a *= v.c; v.c = '!'; return v; }
static struct p2 r_p2(struct p2 v) { v.s++; ++*v.i; return v; }
static struct nest r_n(struct nest v) { v.out.in.x *= 2; v.o2.y++; v.o2.z--; v.w /= 4; return v; }

int main(void)
{
    struct f2 a = r_f2((struct f2){1.5f, 2.5f}); printf("%g %g\n", a.a, a.b);
    struct f3 b = r_f3((struct f3){1, 2, 3}); printf("%g %g %g\n", b.a, b.b, b.c);
    struct f4 c = r_f4((struct f4){1, 2, 3, 4}); printf("%g %g %g %g\n", c.a, c.b, c.c, c.d);
    printf("%g\n", r_d1((struct d1){9.25}).a);
    struct d2 d = r_d2((struct d2){1, 2}); printf("%g %g\n", d.a, d.b);
    struct di e = r_di((struct di){.5, 7}); printf("%g %d\n", e.a, e.b);
    struct id f = r_id((struct id){3, .25}); printf("%d %g\n", f.a, f.b);
    struct fi g = r_fi((struct fi){.125f, -3}); printf("%g %d\n", g.a, g.b);
    printf("%c\n", r_c1((struct c1){'y'}).c);
    struct c3 h = r_c3((struct c3){{'a', 'b', 'c'}}); printf("%.3s\n", h.c);
    printf("%s\n", r_c7((struct c7){"hello1"}).c);
    printf("%s\n", r_c9((struct c9){"ijklmnop"}).c);
    struct s3 s = r_s3((struct s3){{100, 0, -300}}); printf("%d %d %d\n", s.s[0], s.s[1], s.s[2]);
    struct l2 l = r_l2((struct l2){-1, 1L << 50}); printf("%ld %ld\n", l.a, l.b);
    struct lc m = r_lc((struct lc){1000000007L, 'd'}); printf("%ld %c\n", m.a, m.c);
    int k = 5; struct p2 p = r_p2((struct p2){(char *)"xyz", &k}); printf("%s %d %d\n", p.s, k, p.i == &k);
    struct nest n = r_n((struct nest){{{1.5f}}, {10, 'b'}, 10}); printf("%g %d %c %g\n", n.out.in.x, n.o2.y, n.o2.z, n.w);
    return 0;
}
