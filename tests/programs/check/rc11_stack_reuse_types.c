// expect: verified
// selvedge: --model rc11
// the same place on the stack holds variables of different sizes, one after the other, and threads know each
// also: --model sc --explorer graph => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static void *narrow(void *arg)
{
    atomic_fetch_add_explicit((atomic_char *)arg, 1, memory_order_relaxed);
    return arg;
}

static void *wide(void *arg)
{
    atomic_fetch_add_explicit((atomic_long *)arg, 1, memory_order_relaxed);
    return arg;
}

static void use_narrow(void)
{
    atomic_char local = 1;
    pthread_t t;
    pthread_create(&t, NULL, narrow, &local);
    narrow(&local);
    pthread_join(t, NULL);
    assert(local == 3);
}

static void use_wide(void)
{
    atomic_long local = 1;
    pthread_t t;
    pthread_create(&t, NULL, wide, &local);
    wide(&local);
    pthread_join(t, NULL);
    assert(local == 3);
}

int main(void)
{
    use_narrow();
    use_wide();
    use_narrow();
    return 0;
}
