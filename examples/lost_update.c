// Two clerks pay into the same account. There is no data race, for the balance is atomic; but reading and
// writing it are two steps, and if both clerks read before either writes, one payment is lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int balance = 100;

static void pay_in(int amount)
{
    int before = atomic_load(&balance);
    // another clerk may come in here
    atomic_store(&balance, before + amount);
    // right would be: atomic_fetch_add(&balance, amount);
}

static void *clerk(void *arg)
{
    pay_in(*(int *)arg);
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    int small = 10, large = 50;
    pthread_create(&first, NULL, clerk, &small);
    pthread_create(&second, NULL, clerk, &large);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(atomic_load(&balance) == 160);
    return 0;
}
