/* The corner of POSIX that ordinary programs touch: identities, the three open
 * descriptors, and questions about the system. The answers are made up but
 * always the same. The file system is the one of stdio.c: empty and read-only. */
#define _GNU_SOURCE
#include "selvedge_builtins.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

enum { PROCESS = 1000, PARENT = 999, USER = 1000, PAGE = 4096, PROCESSORS = 4 };
enum { CHUNK = 256 };

/* Identities. */

pid_t getpid(void) { return PROCESS; }
pid_t getppid(void) { return PARENT; }
pid_t getpgrp(void) { return PROCESS; }
uid_t getuid(void) { return USER; }
uid_t geteuid(void) { return USER; }
gid_t getgid(void) { return USER; }
gid_t getegid(void) { return USER; }

int gethostname(char *name, size_t size) {
  static const char host[] = "localhost";
  for (size_t i = 0; i < sizeof host && i < size; i++) name[i] = host[i];
  if (size >= sizeof host) return 0;
  errno = ENAMETOOLONG;
  return -1;
}

char *getcwd(char *buffer, size_t size) {
  if (buffer == NULL) __selvedge_unsupported("getcwd that allocates");
  if (size < 2) {
    errno = size == 0 ? EINVAL : ERANGE;
    return NULL;
  }
  buffer[0] = '/';
  buffer[1] = 0;
  return buffer;
}

/* The system. */

int getpagesize(void) { return PAGE; }

long sysconf(int name) {
  switch (name) {
    case _SC_NPROCESSORS_ONLN:
    case _SC_NPROCESSORS_CONF: return PROCESSORS;
    case _SC_PAGESIZE: return PAGE;
    case _SC_PHYS_PAGES:
    case _SC_AVPHYS_PAGES: return 1 << 20;
    case _SC_CLK_TCK: return 100;
    case _SC_OPEN_MAX: return 1024;
    case _SC_ARG_MAX: return 2097152;
    case _SC_LINE_MAX: return 2048;
    case _SC_HOST_NAME_MAX: return 64;
    case _SC_THREADS:
    case _SC_TIMERS:
    case _SC_MONOTONIC_CLOCK:
    case _SC_VERSION: return 200809;
    case _SC_LEVEL1_DCACHE_LINESIZE: return 64;
  }
  errno = EINVAL;
  return -1;
}

int get_nprocs(void) { return PROCESSORS; }
int get_nprocs_conf(void) { return PROCESSORS; }

unsigned alarm(unsigned seconds) {
  (void)seconds;
  return 0;
}

/* Descriptors. */

static int is_open(int descriptor) {
  if (descriptor >= 0 && descriptor <= 2) return 1;
  errno = EBADF;
  return 0;
}

int isatty(int descriptor) {
  if (is_open(descriptor)) errno = ENOTTY;
  return 0;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  if (!is_open(descriptor)) return -1;
  if (descriptor == 0) {
    errno = EBADF;
    return -1;
  }
  const char *from = bytes;
  char local[CHUNK];
  for (size_t left = count; left > 0;) {
    size_t chunk = left < CHUNK ? left : CHUNK;
    __builtin_memcpy(local, from, chunk);
    __selvedge_write(descriptor, local, chunk);
    from += chunk;
    left -= chunk;
  }
  return (ssize_t)count;
}

/* Standard input is at its end. */
ssize_t read(int descriptor, void *bytes, size_t count) {
  (void)bytes, (void)count;
  if (descriptor == 0) return 0;
  errno = EBADF;
  return -1;
}

int close(int descriptor) { return is_open(descriptor) ? 0 : -1; }

off_t lseek(int descriptor, off_t offset, int whence) {
  (void)offset, (void)whence;
  if (is_open(descriptor)) errno = ESPIPE;
  return -1;
}

int fsync(int descriptor) {
  if (is_open(descriptor)) errno = EINVAL;
  return -1;
}

/* Files. */

int open(const char *path, int flags, ...) {
  (void)path;
  errno = flags & (O_WRONLY | O_RDWR | O_CREAT) ? EACCES : ENOENT;
  return -1;
}

int access(const char *path, int mode) {
  (void)path, (void)mode;
  errno = ENOENT;
  return -1;
}

int unlink(const char *path) {
  (void)path;
  errno = ENOENT;
  return -1;
}
