/* <wctype.h> for the C locale: the wide characters beyond ASCII belong to no
 * class and have no case. */
#define _GNU_SOURCE
#include <ctype.h>
#include <string.h>
#include <wctype.h>

#define ALL_CLASSES(X)                                                \
  X(alnum) X(alpha) X(blank) X(cntrl) X(digit) X(graph) X(lower)      \
  X(print) X(punct) X(space) X(upper) X(xdigit)

static int in_class(wint_t c, int bit) {
  return c < 0x80 ? (*__ctype_b_loc())[c] & bit : 0;
}

#define FUNCTION(name) \
  int isw##name(wint_t c) { return in_class(c, _IS##name); }
ALL_CLASSES(FUNCTION)

/* The value of a class is its bit. */
wctype_t wctype(const char *class_name) {
#define LOOK(name) \
  if (strcmp(class_name, #name) == 0) return _IS##name;
  ALL_CLASSES(LOOK)
  return 0;
}

int iswctype(wint_t c, wctype_t class) { return in_class(c, (int)class); }

wint_t towlower(wint_t c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }
wint_t towupper(wint_t c) { return c >= 'a' && c <= 'z' ? c - ('a' - 'A') : c; }

/* The value of a mapping only tells the two apart. */
static const __int32_t to_lower_mapping, to_upper_mapping;

wctrans_t wctrans(const char *name) {
  if (strcmp(name, "tolower") == 0) return &to_lower_mapping;
  if (strcmp(name, "toupper") == 0) return &to_upper_mapping;
  return NULL;
}

wint_t towctrans(wint_t c, wctrans_t mapping) {
  if (mapping == &to_lower_mapping) return towlower(c);
  return mapping == &to_upper_mapping ? towupper(c) : c;
}
