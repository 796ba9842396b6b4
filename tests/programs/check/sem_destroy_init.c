// expect: verified
// also: --model rc11 => verified
// A semaphore that was destroyed can be set up again; one on the stack is a new one each time.
#include <semaphore.h>
static sem_t s;
static void local(void) {
  sem_t mine;
  sem_init(&mine, 0, 1);
  sem_wait(&mine);
}
int main(void) {
  for (int i = 0; i < 2; i++) {
    sem_init(&s, 0, 1);
    sem_wait(&s);
    sem_destroy(&s);
    local();
  }
}
