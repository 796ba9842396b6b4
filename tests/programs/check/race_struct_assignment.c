// expect: data-race line 13|21
// assignment of a whole struct against a write of one field
#include <pthread.h>

struct point {
    int x, y, z;
};

static struct point shared;

static void *worker(void *arg)
{
    shared.z = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    struct point copy = shared;
    pthread_join(t, NULL);
    return copy.x;
}
