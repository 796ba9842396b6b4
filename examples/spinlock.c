// A lock made of one atomic flag. Taking it is a loop without a bound, which nevertheless needs no limit to
// be verified. The counter that it protects is a plain variable: acquire and release order the accesses.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct spinlock {
    atomic_flag taken;
};

static struct spinlock lock = {ATOMIC_FLAG_INIT};
static int counter;

static void spin_lock(struct spinlock *spinlock)
{
    while (atomic_flag_test_and_set_explicit(&spinlock->taken, memory_order_acquire)) {
        // somebody else has it
    }
}

static void spin_unlock(struct spinlock *spinlock)
{
    atomic_flag_clear_explicit(&spinlock->taken, memory_order_release);
}

static void *worker(void *arg)
{
    spin_lock(&lock);
    counter++;
    spin_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(counter == 2);
    return 0;
}
