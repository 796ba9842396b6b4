// One producer, two consumers, and a buffer with room for one item. The consumers wait with `if` where it
// must be `while`: between the signal and the moment the woken consumer gets the mutex back, the other
// consumer can come along and take the item. The one that was woken then takes what is not there.
#include <assert.h>
#include <pthread.h>

enum { ITEMS = 2 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static pthread_cond_t emptied = PTHREAD_COND_INITIALIZER;
static int slot;
static int count; // 0 or 1 items in the slot

static void put(int item)
{
    pthread_mutex_lock(&mutex);
    while (count == 1)
        pthread_cond_wait(&emptied, &mutex);
    slot = item;
    count = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&mutex);
}

static int get(void)
{
    pthread_mutex_lock(&mutex);
    if (count == 0) // the mistake: this must be `while`
        pthread_cond_wait(&filled, &mutex);
    assert(count == 1);
    int item = slot;
    count = 0;
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&mutex);
    return item;
}

static void *consumer(void *arg)
{
    *(int *)arg = get();
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    int first, second;
    pthread_create(&one, NULL, consumer, &first);
    pthread_create(&two, NULL, consumer, &second);
    for (int item = 1; item <= ITEMS; item++)
        put(item);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(first + second == 3);
    return 0;
}
