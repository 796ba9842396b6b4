// expect: assertion line 26
// lost update: the lock is given up between the read and the write
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10;

static void *deposit(void *arg)
{
    pthread_mutex_lock(&mutex);
    int before = balance;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    balance = before + 5;
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, deposit, NULL);
    deposit(NULL);
    pthread_join(t, NULL);
    assert(balance == 20);
    return 0;
}
