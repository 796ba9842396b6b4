// expect: assertion line 40
// ABA: the compare-exchange of a slow pop succeeds although the stack has changed meanwhile
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NONE = -1 };

static atomic_int head = 0;
static atomic_int next[2] = {1, NONE};
static atomic_int taken[2];

static int pop(void)
{
    int top = atomic_load(&head);
    if (top == NONE || !atomic_compare_exchange_strong(&head, &top, atomic_load(&next[top])))
        return NONE;
    atomic_store(&taken[top], 1);
    return top;
}

static void *slow(void *arg)
{
    pop();
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, slow, NULL);
    int first = pop();
    if (first == 0 && pop() == 1) {
        atomic_store(&taken[0], 0);
        atomic_store(&next[0], NONE);
        atomic_store(&head, 0);
    }
    pthread_join(t, NULL);
    int top = atomic_load(&head);
    assert(top != 1 || !atomic_load(&taken[1]));
    return 0;
}
