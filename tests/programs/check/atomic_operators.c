// expect: verified
// _Atomic variables with ++, +=, |= and assignment are atomic read-modify-writes
#include <assert.h>
#include <pthread.h>

static _Atomic int counter;
static _Atomic unsigned char small = 1;
static _Atomic long long large;

static void *worker(void *arg)
{
    counter++;
    small |= 4;
    large += 5000000000LL;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    ++counter;
    small ^= 8;
    large -= 1;
    pthread_join(t, NULL);
    assert(counter == 2 && small == 13 && large == 4999999999LL);
    return 0;
}
