// Money is transferred between two accounts, each with its own lock. A transfer locks the source first and
// then the target: two transfers in opposite directions can each wait for the lock that the other holds.
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account alice = {PTHREAD_MUTEX_INITIALIZER, 100};
static struct account bob = {PTHREAD_MUTEX_INITIALIZER, 100};

static void transfer(struct account *from, struct account *to, int amount)
{
    // Right would be an order that does not depend on the direction, say by address.
    pthread_mutex_lock(&from->lock);
    pthread_mutex_lock(&to->lock);
    from->balance -= amount;
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
    pthread_mutex_unlock(&from->lock);
}

static void *pay_bob(void *arg)
{
    transfer(&alice, &bob, 30);
    return arg;
}

static void *pay_alice(void *arg)
{
    transfer(&bob, &alice, 20);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, pay_bob, NULL);
    pthread_create(&two, NULL, pay_alice, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return alice.balance + bob.balance != 200;
}
