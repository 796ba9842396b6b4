/* qsort, qsort_r and bsearch. Like glibc 2.36's, this qsort is a merge sort: it
 * is stable, and it compares the same elements in the same order, so programs
 * that can tell the difference behave as they do there. */
#define _GNU_SOURCE
#include "selvedge_builtins.h"

#include <stdlib.h>

struct sort {
  size_t size;
  int (*compare)(const void *, const void *);
  int (*compare_with)(const void *, const void *, void *);
  void *extra;
  char *space; /* room for a copy of all elements */
};

static int compare(const struct sort *sort, const char *a, const char *b) {
  if (sort->compare != NULL) return sort->compare(a, b);
  return sort->compare_with(a, b, sort->extra);
}

static void merge_sort(const struct sort *sort, char *base, size_t count) {
  if (count <= 1) return;
  size_t size = sort->size;
  size_t left_count = count / 2, right_count = count - left_count;
  char *left = base, *right = base + left_count * size;
  merge_sort(sort, left, left_count);
  merge_sort(sort, right, right_count);
  char *merged = sort->space;
  while (left_count > 0 && right_count > 0) {
    if (compare(sort, left, right) <= 0) {
      __builtin_memcpy(merged, left, size);
      left += size;
      left_count--;
    } else {
      __builtin_memcpy(merged, right, size);
      right += size;
      right_count--;
    }
    merged += size;
  }
  /* What is left of the right half is in its place already. */
  __builtin_memcpy(merged, left, left_count * size);
  __builtin_memcpy(base, sort->space, (count - right_count) * size);
}

static void sort_elements(struct sort *sort, char *base, size_t count) {
  char local[1024] __attribute__((aligned(16)));
  size_t bytes = count * sort->size;
  if (count <= 1 || sort->size == 0) return;
  if (bytes <= sizeof local) {
    sort->space = local;
    merge_sort(sort, base, count);
    return;
  }
  sort->space = __selvedge_allocate(bytes, 16, 0);
  if (sort->space == NULL) __selvedge_unsupported("qsort of an array of this size");
  merge_sort(sort, base, count);
  __selvedge_release(sort->space);
}

void qsort(void *base, size_t count, size_t size,
           int (*compare)(const void *, const void *)) {
  struct sort sort = {.size = size, .compare = compare};
  sort_elements(&sort, base, count);
}

void qsort_r(void *base, size_t count, size_t size,
             int (*compare)(const void *, const void *, void *), void *extra) {
  struct sort sort = {.size = size, .compare_with = compare, .extra = extra};
  sort_elements(&sort, base, count);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
              int (*compare)(const void *, const void *)) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *element = (const char *)base + middle * size;
    int order = compare(key, element);
    if (order == 0) return (void *)element;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return NULL;
}
