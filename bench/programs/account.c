/* account(T): T accounts in a ring, each with a mutex and a thread that pays in, draws, and transfers to the
 * next account. A transfer holds the mutex of its own account only, so what it adds to the other one may get
 * lost, or undo what somebody else does there. With -DFIXED it holds both.
 *
 * 3 pairs of lines with a data race: the other side of a transfer, with each of the three changes that an
 * account's own thread makes. With -DATOMIC balances are atomic: there is no race, and money is lost all the
 * same.
 *
 * Published for T = 4: 27,830 executions by maximal causality reduction, 14,124 by its switch-equivalent form;
 * 3 races. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef T
#define T 2
#endif
#ifdef ATOMIC
typedef atomic_int shared_int;
#else
typedef int shared_int;
#endif

static struct account {
  pthread_mutex_t mutex;
  shared_int balance;
} accounts[T];

static void deposit(struct account *account, int amount) {
  pthread_mutex_lock(&account->mutex);
  account->balance = account->balance + amount;
  pthread_mutex_unlock(&account->mutex);
}

static void withdraw(struct account *account, int amount) {
  pthread_mutex_lock(&account->mutex);
  account->balance = account->balance - amount;
  pthread_mutex_unlock(&account->mutex);
}

static void transfer(struct account *from, struct account *to, int amount) {
#ifdef FIXED
  struct account *first = from < to ? from : to, *second = from < to ? to : from;
  pthread_mutex_lock(&first->mutex);
  pthread_mutex_lock(&second->mutex);
#else
  pthread_mutex_lock(&from->mutex);
#endif
  from->balance = from->balance - amount;
  to->balance = to->balance + amount;
#ifdef FIXED
  pthread_mutex_unlock(&second->mutex);
  pthread_mutex_unlock(&first->mutex);
#else
  pthread_mutex_unlock(&from->mutex);
#endif
}

static void *owner(void *argument) {
  long me = (long)argument;
  deposit(&accounts[me], 300);
  withdraw(&accounts[me], 100);
  transfer(&accounts[me], &accounts[(me + 1) % T], 99);
  return NULL;
}

int main(void) {
  pthread_t threads[T];
  for (int i = 0; i < T; i++) {
    pthread_mutex_init(&accounts[i].mutex, NULL);
    accounts[i].balance = 1000;
  }
  for (long i = 0; i < T; i++)
    pthread_create(&threads[i], NULL, owner, (void *)i);
  for (int i = 0; i < T; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < T; i++)
    assert(accounts[i].balance == 1200);
  return 0;
}
