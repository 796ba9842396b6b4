// Thread-local variables in a single thread: initialised, zero, static local, extern, arrays, addresses.
#include <stdio.h>
#include <threads.h>

_Thread_local int counter = 40;
static _Thread_local double ratio = 0.75;
static _Thread_local char name[16] = "tls";
static thread_local struct { int a; long b[3]; } rec = {1, {2, 3, 4}};
static __thread int zero[50];
extern _Thread_local int counter;
static _Thread_local int *self;

static int next(void)
{
    static _Thread_local int n = 100;
    return n++;
}

static int *where(void) { return &counter; }

int main(void)
{
    printf("%d %g %s %d %ld %d\n", counter, ratio, name, rec.a, rec.b[2], zero[49]);
    counter += 2;
    ratio *= 2;
    name[0] = 'T';
    rec.b[1] += rec.a;
    printf("%d %g %s %ld\n", counter, ratio, name, rec.b[1]);
    printf("%d", next());
    printf(" %d", next());
    printf(" %d\n", next());
    for (int i = 0; i < 50; i++)
        zero[i] = i * i;
    int s = 0;
    for (int *p = zero; p < zero + 50; p++)
        s += *p;
    printf("%d\n", s);
    *where() = 7;
    self = &counter;
    ++*self;
    printf("%d %d\n", counter, where() == self);
    long *pb = rec.b;
    pb[2] <<= 40;
    printf("%ld %zu\n", rec.b[2], sizeof rec);
    return counter;
}
