// expect: bad-join line 13|14
// also: --model rc11 => bad-join line 13|14
// also: -- -DDETACH => bad-join line 13|25
// also: --model rc11 -- -DDETACH => bad-join line 13|25
// two threads join a third; or one joins it, and another one detaches it: whoever comes first, that is wrong
#include <pthread.h>
#include <stddef.h>

static pthread_t third;

static void *joiner(void *arg)
{
    if (arg != NULL) pthread_join(third, NULL);
    else pthread_join(third, NULL);
    return arg;
}

static void *idle(void *arg)
{
    return arg;
}

static void *detacher(void *arg)
{
    pthread_detach(third);
    return arg;
}

int main(void)
{
    int some;
    pthread_t threads[2];
    pthread_create(&third, NULL, idle, NULL);
    pthread_create(&threads[0], NULL, joiner, &some);
#ifdef DETACH
    pthread_create(&threads[1], NULL, detacher, NULL);
#else
    pthread_create(&threads[1], NULL, joiner, NULL);
#endif
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    return 0;
}
