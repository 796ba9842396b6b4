/* Locales: there is only "C", also known as "POSIX"; the empty name means it too,
 * since the environment is empty. */
#define _GNU_SOURCE
#include <limits.h>
#include <locale.h>
#include <string.h>

char *setlocale(int category, const char *name) {
  if (category < LC_CTYPE || category > LC_IDENTIFICATION) return NULL;
  if (name == NULL || strcmp(name, "") == 0 || strcmp(name, "C") == 0 ||
      strcmp(name, "POSIX") == 0) {
    return "C";
  }
  return NULL;
}

/* Never written by the program, so that all threads may share it. */
static struct lconv conventions = {
  .decimal_point = ".",
  .thousands_sep = "",
  .grouping = "",
  .int_curr_symbol = "",
  .currency_symbol = "",
  .mon_decimal_point = "",
  .mon_thousands_sep = "",
  .mon_grouping = "",
  .positive_sign = "",
  .negative_sign = "",
  .int_frac_digits = CHAR_MAX,
  .frac_digits = CHAR_MAX,
  .p_cs_precedes = CHAR_MAX,
  .p_sep_by_space = CHAR_MAX,
  .n_cs_precedes = CHAR_MAX,
  .n_sep_by_space = CHAR_MAX,
  .p_sign_posn = CHAR_MAX,
  .n_sign_posn = CHAR_MAX,
  .int_p_cs_precedes = CHAR_MAX,
  .int_p_sep_by_space = CHAR_MAX,
  .int_n_cs_precedes = CHAR_MAX,
  .int_n_sep_by_space = CHAR_MAX,
  .int_p_sign_posn = CHAR_MAX,
  .int_n_sign_posn = CHAR_MAX,
};

struct lconv *localeconv(void) { return &conventions; }
