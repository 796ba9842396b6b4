/* getopt, getopt_long and getopt_long_only, with glibc's behaviour: arguments
 * that are no options move to the end unless the option string begins with '+'
 * (stop there) or '-' (return them as option 1), or POSIXLY_CORRECT is set; long
 * names may be shortened. The state is plain, as in glibc. "W;" is not known. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

/* Where we are in a group of short options; NULL or at its end: nowhere. */
static char *next_letter;
/* The skipped arguments that are no options: [first, last). */
static int skipped_first, skipped_last;
static enum { PERMUTE, STOP, IN_ORDER } ordering;
static bool initialized;

/* Moves the skipped arguments behind the options that were read since. */
static void exchange(char **argv) {
  while (skipped_last < optind) {
    char *option = argv[skipped_last];
    for (int i = skipped_last; i > skipped_first; i--) argv[i] = argv[i - 1];
    argv[skipped_first++] = option;
    skipped_last++;
  }
}

static bool is_option(const char *argument) {
  return argument[0] == '-' && argument[1] != 0;
}

static int complain_ambiguous(char **argv, const struct option *options,
                              const char *prefix, size_t length) {
  if (opterr) {
    fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", argv[0],
            prefix, next_letter);
    for (const struct option *o = options; o->name != NULL; o++) {
      if (strncmp(o->name, next_letter, length) == 0) {
        fprintf(stderr, " '%s%s'", prefix, o->name);
      }
    }
    fputc('\n', stderr);
  }
  next_letter += strlen(next_letter);
  optind++;
  optopt = 0;
  return '?';
}

/* The option that `name` means: the one of this name, or the only one that begins
 * with it, or the first of several that mean the same. */
static const struct option *find_long(const struct option *options,
                                      const char *name, size_t length,
                                      bool long_only, bool *ambiguous) {
  const struct option *found = NULL;
  for (const struct option *o = options; o->name != NULL; o++) {
    if (strncmp(o->name, name, length) != 0) continue;
    if (strlen(o->name) == length) {
      *ambiguous = false;
      return o;
    }
    if (found == NULL) found = o;
    else if (long_only || found->has_arg != o->has_arg || found->flag != o->flag ||
             found->val != o->val) *ambiguous = true;
  }
  return found;
}

/* next_letter is behind the prefix. -1: not a long option, try a short one. */
static int long_option(int argc, char **argv, const char *letters,
                       const struct option *options, int *index, bool long_only,
                       const char *prefix) {
  bool quiet = letters[0] == ':' || !opterr;
  size_t length = strcspn(next_letter, "=");
  bool ambiguous = false;
  const struct option *option =
      find_long(options, next_letter, length, long_only, &ambiguous);
  if (ambiguous) {
    int kept = opterr;
    if (quiet) opterr = 0;
    int result = complain_ambiguous(argv, options, prefix, length);
    opterr = kept;
    return result;
  }
  if (option == NULL) {
    if (long_only && argv[optind][1] != '-' &&
        strchr(letters, *next_letter) != NULL) {
      return -1;
    }
    if (!quiet) {
      fprintf(stderr, "%s: unrecognized option '%s%s'\n", argv[0], prefix,
              next_letter);
    }
    next_letter = NULL;
    optind++;
    optopt = 0;
    return '?';
  }
  char *value = next_letter[length] == '=' ? next_letter + length + 1 : NULL;
  next_letter = NULL;
  optind++;
  if (value != NULL && option->has_arg == no_argument) {
    if (!quiet) {
      fprintf(stderr, "%s: option '%s%s' doesn't allow an argument\n", argv[0],
              prefix, option->name);
    }
    optopt = option->val;
    return '?';
  }
  if (value == NULL && option->has_arg == required_argument) {
    if (optind >= argc) {
      if (!quiet) {
        fprintf(stderr, "%s: option '%s%s' requires an argument\n", argv[0], prefix,
                option->name);
      }
      optopt = option->val;
      return letters[0] == ':' ? ':' : '?';
    }
    value = argv[optind++];
  }
  optarg = value;
  if (index != NULL) *index = (int)(option - options);
  if (option->flag == NULL) return option->val;
  *option->flag = option->val;
  return 0;
}

static int short_option(int argc, char **argv, const char *letters) {
  bool quiet = letters[0] == ':' || !opterr;
  char letter = *next_letter++;
  const char *known = strchr(letters, letter);
  if (*next_letter == 0) optind++;
  if (known == NULL || letter == ':' || letter == ';') {
    if (!quiet) fprintf(stderr, "%s: invalid option -- '%c'\n", argv[0], letter);
    optopt = letter;
    return '?';
  }
  if (known[1] != ':') return letter;
  bool optional = known[2] == ':';
  if (*next_letter != 0) {
    optarg = next_letter;
    optind++;
  } else if (optional) {
    optarg = NULL;
  } else if (optind == argc) {
    if (!quiet) {
      fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv[0], letter);
    }
    optopt = letter;
    letter = letters[0] == ':' ? ':' : '?';
  } else {
    optarg = argv[optind++];
  }
  next_letter = NULL;
  return letter;
}

static void initialize(const char *letters) {
  if (optind == 0) optind = 1;
  skipped_first = skipped_last = optind;
  next_letter = NULL;
  if (letters[0] == '-') ordering = IN_ORDER;
  else if (letters[0] == '+' || getenv("POSIXLY_CORRECT") != NULL) ordering = STOP;
  else ordering = PERMUTE;
  initialized = true;
}

static int next_option(int argc, char **argv, const char *letters,
                       const struct option *options, int *index, bool long_only) {
  if (argc < 1) return -1;
  optarg = NULL;
  if (optind == 0 || !initialized) initialize(letters);
  if (letters[0] == '-' || letters[0] == '+') letters++;
  if (next_letter == NULL || *next_letter == 0) {
    if (skipped_last > optind) skipped_last = optind;
    if (skipped_first > optind) skipped_first = optind;
    if (ordering == PERMUTE) {
      if (skipped_first != skipped_last && skipped_last != optind) exchange(argv);
      else if (skipped_last != optind) skipped_first = optind;
      while (optind < argc && !is_option(argv[optind])) optind++;
      skipped_last = optind;
    }
    if (optind != argc && strcmp(argv[optind], "--") == 0) {
      optind++;
      if (skipped_first != skipped_last && skipped_last != optind) exchange(argv);
      else if (skipped_first == skipped_last) skipped_first = optind;
      skipped_last = argc;
      optind = argc;
    }
    if (optind == argc) {
      if (skipped_first != skipped_last) optind = skipped_first;
      return -1;
    }
    if (!is_option(argv[optind])) {
      if (ordering == STOP) return -1;
      optarg = argv[optind++];
      return 1;
    }
    if (options != NULL) {
      if (argv[optind][1] == '-') {
        next_letter = argv[optind] + 2;
        return long_option(argc, argv, letters, options, index, long_only, "--");
      }
      if (long_only &&
          (argv[optind][2] != 0 || strchr(letters, argv[optind][1]) == NULL)) {
        next_letter = argv[optind] + 1;
        int code = long_option(argc, argv, letters, options, index, long_only, "-");
        if (code != -1) return code;
      }
    }
    next_letter = argv[optind] + 1;
  }
  return short_option(argc, argv, letters);
}

int getopt(int argc, char *const *argv, const char *letters) {
  return next_option(argc, (char **)argv, letters, NULL, NULL, false);
}

int __posix_getopt(int argc, char *const *argv, const char *letters) {
  return getopt(argc, argv, letters);
}

int getopt_long(int argc, char *const *argv, const char *letters,
                const struct option *options, int *index) {
  return next_option(argc, (char **)argv, letters, options, index, false);
}

int getopt_long_only(int argc, char *const *argv, const char *letters,
                     const struct option *options, int *index) {
  return next_option(argc, (char **)argv, letters, options, index, true);
}
