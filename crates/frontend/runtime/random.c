/* Pseudo-random numbers, exactly those of glibc.
 *
 * rand() and random() share one additive feedback generator. glibc protects it
 * by a lock; here all that threads share is one atomic word, the seed and the
 * number of draws since it was set. A draw takes the next number, and each thread
 * computes the sequence up to there in a generator of its own. So concurrent
 * draws neither race nor block, and hand out the numbers which glibc would.
 *
 * The drand48 family has plain state: it is not safe for threads in glibc either.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* rand, random: r[i] = r[i - 3] + r[i - 31]. */

enum { DEGREE = 31, SEPARATION = 3, WARM_UP = 10 * DEGREE };

struct generator {
  uint32_t seed;
  uint32_t drawn; /* numbers since the seed was set */
  int started;
  int front, rear;
  int32_t state[DEGREE];
};

/* Seed in the upper half, draws in the lower. */
static uint64_t shared_place = UINT64_C(1) << 32;

static _Thread_local struct generator own;

static uint32_t step(struct generator *generator) {
  uint32_t sum = (uint32_t)generator->state[generator->front] +
                 (uint32_t)generator->state[generator->rear];
  generator->state[generator->front] = (int32_t)sum;
  if (++generator->front == DEGREE) generator->front = 0;
  if (++generator->rear == DEGREE) generator->rear = 0;
  return sum >> 1;
}

static void start(struct generator *generator, uint32_t seed) {
  generator->seed = seed;
  generator->drawn = 0;
  generator->started = 1;
  /* 16807 * word % 2147483647, without a product of 64 bits: Schrage's method,
   * with the same results for negative words as glibc's. */
  int32_t word = seed == 0 ? 1 : (int32_t)seed;
  generator->state[0] = word;
  for (int i = 1; i < DEGREE; i++) {
    long high = word / 127773, low = word % 127773;
    word = (int32_t)(16807 * low - 2836 * high);
    if (word < 0) word += 2147483647;
    generator->state[i] = word;
  }
  generator->front = SEPARATION;
  generator->rear = 0;
  for (int i = 0; i < WARM_UP; i++) step(generator);
}

long random(void) {
  uint64_t place = __atomic_fetch_add(&shared_place, 1, __ATOMIC_RELAXED);
  uint32_t seed = (uint32_t)(place >> 32), index = (uint32_t)place;
  if (!own.started || own.seed != seed || own.drawn > index) start(&own, seed);
  uint32_t value;
  do {
    value = step(&own);
  } while (own.drawn++ != index);
  return (long)value;
}

int rand(void) { return (int)random(); }

void srandom(unsigned seed) {
  __atomic_store_n(&shared_place, (uint64_t)seed << 32, __ATOMIC_RELAXED);
}

void srand(unsigned seed) { srandom(seed); }

int rand_r(unsigned *seed) {
  uint32_t next = *seed;
  next = next * 1103515245 + 12345;
  uint32_t result = next / 65536 % 2048;
  next = next * 1103515245 + 12345;
  result = result << 10 ^ next / 65536 % 1024;
  next = next * 1103515245 + 12345;
  result = result << 10 ^ next / 65536 % 1024;
  *seed = next;
  return (int)result;
}

/* drand48 and its relatives: x = (a * x + c) mod 2^48, in three 16-bit words with
 * the lowest first. */

enum { DEFAULT_ADDEND = 0xb };
static const uint64_t default_factor = UINT64_C(0x5deece66d);

static unsigned short shared_x[3];
static uint64_t factor = UINT64_C(0x5deece66d);
static unsigned short addend = DEFAULT_ADDEND;

static uint64_t advance(unsigned short x[3]) {
  uint64_t value = (uint64_t)x[2] << 32 | (uint64_t)x[1] << 16 | x[0];
  value = value * factor + addend;
  x[0] = (unsigned short)value;
  x[1] = (unsigned short)(value >> 16);
  x[2] = (unsigned short)(value >> 32);
  return value & 0xffffffffffff;
}

double erand48(unsigned short x[3]) {
  return (double)advance(x) / (double)(UINT64_C(1) << 48);
}

long nrand48(unsigned short x[3]) { return (long)(advance(x) >> 17); }
long jrand48(unsigned short x[3]) { return (int32_t)(advance(x) >> 16); }

double drand48(void) { return erand48(shared_x); }
long lrand48(void) { return nrand48(shared_x); }
long mrand48(void) { return jrand48(shared_x); }

void srand48(long seed) {
  shared_x[0] = 0x330e;
  shared_x[1] = (unsigned short)seed;
  shared_x[2] = (unsigned short)(seed >> 16);
  factor = default_factor;
  addend = DEFAULT_ADDEND;
}

unsigned short *seed48(unsigned short seed[3]) {
  static unsigned short old_x[3];
  __builtin_memcpy(old_x, shared_x, sizeof old_x);
  __builtin_memcpy(shared_x, seed, sizeof shared_x);
  factor = default_factor;
  addend = DEFAULT_ADDEND;
  return old_x;
}

void lcong48(unsigned short parameters[7]) {
  __builtin_memcpy(shared_x, parameters, sizeof shared_x);
  factor = (uint64_t)parameters[5] << 32 | (uint64_t)parameters[4] << 16 |
           parameters[3];
  addend = parameters[6];
}
