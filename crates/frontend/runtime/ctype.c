/* <ctype.h> for the C locale: the tables behind glibc's macros, indexed from
 * -128 to 255 exactly as there, and the functions over them. The functions take
 * the same liberty as the macros: an argument outside of that range is a read
 * outside of the table, which the machine reports. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stddef.h>
#include <stdint.h>

enum {
  OFFSET = 128,
  SIZE = 384,
  CONTROL = _IScntrl,
  SPACE = _ISspace,
  VISIBLE = _ISprint | _ISgraph,
  PUNCTUATION = VISIBLE | _ISpunct,
  DIGIT = VISIBLE | _ISalnum | _ISdigit | _ISxdigit,
  UPPER = VISIBLE | _ISalnum | _ISalpha | _ISupper,
  LOWER = VISIBLE | _ISalnum | _ISalpha | _ISlower,
};

#define AT(c) [OFFSET + (c)]
#define FROM_TO(first, last) [OFFSET + (first) ... OFFSET + (last)]

static const unsigned short classes[SIZE] = {
  FROM_TO(0x00, 0x08) = CONTROL,
  AT('\t') = CONTROL | SPACE | _ISblank,
  FROM_TO('\n', '\r') = CONTROL | SPACE,
  FROM_TO(0x0e, 0x1f) = CONTROL,
  AT(' ') = _ISprint | SPACE | _ISblank,
  FROM_TO('!', '/') = PUNCTUATION,
  FROM_TO('0', '9') = DIGIT,
  FROM_TO(':', '@') = PUNCTUATION,
  FROM_TO('A', 'F') = UPPER | _ISxdigit,
  FROM_TO('G', 'Z') = UPPER,
  FROM_TO('[', '`') = PUNCTUATION,
  FROM_TO('a', 'f') = LOWER | _ISxdigit,
  FROM_TO('g', 'z') = LOWER,
  FROM_TO('{', '~') = PUNCTUATION,
  AT(0x7f) = CONTROL,
};

#define FOUR(n) (n), (n) + 1, (n) + 2, (n) + 3
#define SIXTEEN(n) FOUR(n), FOUR((n) + 4), FOUR((n) + 8), FOUR((n) + 12)
/* 26 letters from `n` on. */
#define LETTERS(n) SIXTEEN(n), FOUR((n) + 16), FOUR((n) + 20), (n) + 24, (n) + 25

#define NEGATIVE                                                             \
  SIXTEEN(0x80), SIXTEEN(0x90), SIXTEEN(0xa0), SIXTEEN(0xb0), SIXTEEN(0xc0), \
      SIXTEEN(0xd0), SIXTEEN(0xe0), FOUR(0xf0), FOUR(0xf4), FOUR(0xf8), 0xfc, \
      0xfd, 0xfe, -1
#define NON_NEGATIVE(capitals, smalls)                                       \
  SIXTEEN(0x00), SIXTEEN(0x10), SIXTEEN(0x20), SIXTEEN(0x30), '@',           \
      LETTERS(capitals), '[', '\\', ']', '^', '_', '`', LETTERS(smalls), '{', \
      '|', '}', '~', 0x7f, SIXTEEN(0x80), SIXTEEN(0x90), SIXTEEN(0xa0),      \
      SIXTEEN(0xb0), SIXTEEN(0xc0), SIXTEEN(0xd0), SIXTEEN(0xe0), SIXTEEN(0xf0)

static const int32_t lower[SIZE] = {NEGATIVE, NON_NEGATIVE('a', 'a')};
static const int32_t upper[SIZE] = {NEGATIVE, NON_NEGATIVE('A', 'A')};

/* Never written, so that all threads may share them. */
static const unsigned short *classes_origin = classes + OFFSET;
static const int32_t *lower_origin = lower + OFFSET;
static const int32_t *upper_origin = upper + OFFSET;

const unsigned short **__ctype_b_loc(void) { return &classes_origin; }
const int32_t **__ctype_tolower_loc(void) { return &lower_origin; }
const int32_t **__ctype_toupper_loc(void) { return &upper_origin; }

size_t __ctype_get_mb_cur_max(void) { return 1; }

#define CLASS(name, bit) \
  int(name)(int c) { return classes_origin[c] & (bit); }

CLASS(isalnum, _ISalnum)
CLASS(isalpha, _ISalpha)
CLASS(isblank, _ISblank)
CLASS(iscntrl, _IScntrl)
CLASS(isdigit, _ISdigit)
CLASS(isgraph, _ISgraph)
CLASS(islower, _ISlower)
CLASS(isprint, _ISprint)
CLASS(ispunct, _ISpunct)
CLASS(isspace, _ISspace)
CLASS(isupper, _ISupper)
CLASS(isxdigit, _ISxdigit)

int(isascii)(int c) { return (c & ~0x7f) == 0; }
int(toascii)(int c) { return c & 0x7f; }
int isctype(int c, int mask) { return classes_origin[c] & mask; }

int(tolower)(int c) { return c >= -128 && c < 256 ? lower_origin[c] : c; }
int(toupper)(int c) { return c >= -128 && c < 256 ? upper_origin[c] : c; }
int(_tolower)(int c) { return lower_origin[c]; }
int(_toupper)(int c) { return upper_origin[c]; }
