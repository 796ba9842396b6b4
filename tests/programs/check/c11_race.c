// expect: data-race line 9|17
// C11 threads: a plain counter
#include <threads.h>

static int x;

static int worker(void *arg)
{
    x++;
    return arg != NULL;
}

int main(void)
{
    thrd_t t;
    thrd_create(&t, worker, NULL);
    x++;
    thrd_join(t, NULL);
    return 0;
}
