// expect: verified
// selvedge: --model rc11
// a loop that starts threads again and again, each with a local variable in the same place
// also: --model rc11 -- -DATOMIC => verified
// also: --model sc --explorer graph => verified
// also: --model sc --explorer graph -- -DATOMIC => verified
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ROUNDS = 4 };

#ifdef ATOMIC
typedef atomic_int number;
#else
typedef int number;
#endif

struct job {
    number input;
    number output;
};

static void *worker(void *arg)
{
    struct job *job = arg;
    number local = job->input;
    job->output = local * 2;
    return arg;
}

static int twice(int value)
{
    pthread_t t;
    struct job job = {value, 0};
    pthread_create(&t, NULL, worker, &job);
    pthread_join(t, NULL);
    return job.output;
}

int main(void)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct job pair[2] = {{i, 0}, {i + 1, 0}};
        pthread_t a, b;
        pthread_create(&a, NULL, worker, &pair[0]);
        pthread_create(&b, NULL, worker, &pair[1]);
        int other = twice(i + 2);
        pthread_join(a, NULL);
        pthread_join(b, NULL);
        assert(pair[0].output == 2 * i && pair[1].output == 2 * i + 2 && other == 2 * i + 4);
    }
    return 0;
}
