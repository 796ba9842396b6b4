/* malloc and its relatives over the machine's heap objects.
 *
 * Deliberate decisions: malloc_usable_size() is the size that was asked for, not
 * a rounded one, so that bytes beyond it stay out of bounds; requests above
 * PTRDIFF_MAX fail with ENOMEM as in glibc; realloc() always moves the object,
 * so that stale pointers are found. */
#define _GNU_SOURCE
#include "selvedge_builtins.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

enum { MALLOC_ALIGNMENT = 16, PAGE = 4096 };

static void *allocate(size_t size, size_t alignment, int zeroed) {
  void *object = NULL;
  if (size <= PTRDIFF_MAX) object = __selvedge_allocate(size, alignment, zeroed);
  if (object == NULL) errno = ENOMEM;
  return object;
}

/* Also takes an alignment that is no power of two, rounded up as in glibc. */
static void *allocate_aligned(size_t alignment, size_t size) {
  if (alignment > SIZE_MAX / 2 + 1) {
    errno = EINVAL;
    return NULL;
  }
  size_t power = MALLOC_ALIGNMENT;
  while (power < alignment) power *= 2;
  return allocate(size, power, 0);
}

void *malloc(size_t size) { return allocate(size, MALLOC_ALIGNMENT, 0); }

void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return allocate(bytes, MALLOC_ALIGNMENT, 1);
}

/* free() keeps errno. */
void free(void *object) { __selvedge_release(object); }

void cfree(void *object) { __selvedge_release(object); }

/* As in glibc, a new size of 0 frees the object and gives NULL. */
void *realloc(void *object, size_t size) {
  if (object == NULL) return allocate(size, MALLOC_ALIGNMENT, 0);
  if (size == 0) {
    __selvedge_release(object);
    return NULL;
  }
  size_t old_size = __selvedge_allocation_size(object);
  void *moved = allocate(size, MALLOC_ALIGNMENT, 0);
  if (moved == NULL) return NULL;
  __builtin_memcpy(moved, object, old_size < size ? old_size : size);
  __selvedge_release(object);
  return moved;
}

void *reallocarray(void *object, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(object, bytes);
}

void *memalign(size_t alignment, size_t size) {
  return allocate_aligned(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return allocate_aligned(alignment, size);
}

/* errno stays as it was: the error is the result. */
int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment == 0 || alignment % sizeof(void *) != 0 ||
      (alignment & (alignment - 1)) != 0) {
    return EINVAL;
  }
  void *object = NULL;
  if (size <= PTRDIFF_MAX) object = __selvedge_allocate(size, alignment, 0);
  if (object == NULL) return ENOMEM;
  *result = object;
  return 0;
}

void *valloc(size_t size) { return allocate(size, PAGE, 0); }

void *pvalloc(size_t size) {
  if (size > PTRDIFF_MAX) {
    errno = ENOMEM;
    return NULL;
  }
  return allocate((size + PAGE - 1) / PAGE * PAGE, PAGE, 0);
}

size_t malloc_usable_size(void *object) {
  return object == NULL ? 0 : __selvedge_allocation_size(object);
}

int malloc_trim(size_t pad) {
  (void)pad;
  return 0;
}

int mallopt(int parameter, int value) {
  (void)parameter, (void)value;
  return 1;
}
