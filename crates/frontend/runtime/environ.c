/* The environment. It is empty at first and changes only by setenv and its
 * relatives; the state is plain, since glibc's own readers are not protected
 * from writers either. Strings and tables that are replaced are not freed: the
 * program may still hold pointers to them (glibc does the same). */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *nothing[1];

/* glibc has one object with both names; here they are kept equal. */
char **environ = nothing;
char **__environ = nothing;

static size_t name_length(const char *text) {
  size_t length = 0;
  while (text[length] != 0 && text[length] != '=') length++;
  return length;
}

/* The place of "name=..." in the table, or NULL. */
static char **find(const char *name, size_t length) {
  if (environ == NULL) return NULL;
  for (char **entry = environ; *entry != NULL; entry++) {
    if (strncmp(*entry, name, length) == 0 && (*entry)[length] == '=') return entry;
  }
  return NULL;
}

/* Adds or replaces an entry. */
static int put(char *text, size_t length) {
  char **entry = find(text, length);
  if (entry != NULL) {
    *entry = text;
    return 0;
  }
  size_t count = 0;
  while (environ != NULL && environ[count] != NULL) count++;
  char **larger = malloc((count + 2) * sizeof *larger);
  if (larger == NULL) return -1;
  for (size_t i = 0; i < count; i++) larger[i] = environ[i];
  larger[count] = text;
  larger[count + 1] = NULL;
  environ = __environ = larger;
  return 0;
}

char *getenv(const char *name) {
  size_t length = strlen(name);
  char **entry = find(name, length);
  return entry != NULL ? *entry + length + 1 : NULL;
}

char *secure_getenv(const char *name) { return getenv(name); }

static int is_name(const char *name) {
  if (name != NULL && *name != 0 && name[name_length(name)] == 0) return 1;
  errno = EINVAL;
  return 0;
}

int setenv(const char *name, const char *value, int overwrite) {
  const char *checked = name;
  if (!is_name(checked)) return -1;
  size_t length = strlen(name);
  if (!overwrite && find(name, length) != NULL) return 0;
  char *text = malloc(length + strlen(value) + 2);
  if (text == NULL) return -1;
  strcpy(text, name);
  text[length] = '=';
  strcpy(text + length + 1, value);
  return put(text, length);
}

int unsetenv(const char *name) {
  const char *checked = name;
  if (!is_name(checked)) return -1;
  size_t length = strlen(name);
  char **entry;
  while ((entry = find(name, length)) != NULL) {
    do entry[0] = entry[1];
    while (*entry++ != NULL);
  }
  return 0;
}

/* The text itself becomes part of the environment; without '=' it unsets. */
int putenv(char *text) {
  size_t length = name_length(text);
  return text[length] == '=' ? put(text, length) : unsetenv(text);
}

int clearenv(void) {
  environ = __environ = NULL;
  return 0;
}
