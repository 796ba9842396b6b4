// expect: verified
// selvedge: --model rc11 --explorer graph
// As rc11_created_thread_comes_after.c and rc11_joined_thread_comes_before.c, with a fence somewhere: then the definition of the
// order is followed literally.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int x, y, z;

static void *thread_1(void *argument)
{
    x = 1;
    return (void *)(uintptr_t)y;
}

static void *thread_2(void *argument)
{
    return (void *)(uintptr_t)x;
}

static void *thread_3(void *argument)
{
    atomic_thread_fence(memory_order_seq_cst);
    z = 1;
    return NULL;
}

static void *thread_4(void *argument)
{
    x = 3;
    return (void *)(uintptr_t)z;
}

int main(void)
{
    pthread_t one, two, three, four;
    void *saw_y, *saw_x, *saw_z;
    pthread_create(&one, NULL, thread_1, NULL);
    y = 1;
    pthread_create(&two, NULL, thread_2, NULL);
    pthread_join(one, &saw_y);
    pthread_join(two, &saw_x);
    assert(saw_y || saw_x);
    pthread_create(&four, NULL, thread_4, NULL);
    pthread_create(&three, NULL, thread_3, NULL);
    pthread_join(three, NULL);
    int saw_3 = x == 3;
    pthread_join(four, &saw_z);
    assert(saw_3 || saw_z);
    return 0;
}
