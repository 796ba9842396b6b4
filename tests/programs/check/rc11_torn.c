// expect: assertion line 20
// selvedge: --model rc11 --allow data-race
// a plain load in two parts, each of which reads from either of two writes
// also: --model rc11 --allow data-race -- -DUNWANTED=0x10000 => assertion line 20
// also: --model rc11 --allow data-race -- -DUNWANTED=0x10001 => assertion line 20
// also: --model rc11 --allow data-race -- -DUNWANTED=1 => assertion line 20
// also: --model sc --explorer graph --allow data-race -- -DUNWANTED=0 => assertion line 20
// also: --model rc11 --allow data-race -- -DUNWANTED=2 => verified
#include <assert.h>
#include <pthread.h>
#ifndef UNWANTED
#define UNWANTED 0
#endif

static union { int whole; short half[2]; } x;

static void *reader(void *arg) {
  int whole = x.whole;
  short half = x.half[1];
  assert(whole != UNWANTED || half > 1);
  return arg;
}

static void *writer(void *arg) {
  x.whole = 0x10001;
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, writer, 0);
  pthread_create(&threads[1], 0, reader, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
