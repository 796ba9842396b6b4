// errno set by library functions, its macro values, strerror texts and perror-free reporting.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int test(const char *what, int r)
{
    printf("%s -> %d: %s\n", what, r, strerror(r));
    return r;
}

int main(void)
{
    printf("%d %d %d %d %d %d\n", EPERM, ENOENT, EINTR, EBADF, ENOMEM, EACCES);
    printf("%d %d %d %d %d\n", EEXIST, EINVAL, ERANGE, EDOM, EILSEQ);
    errno = 0;
    printf("%d\n", errno);
    strtol("999999999999999999999", NULL, 10);
    test("strtol", errno);
    errno = 0;
    FILE *f = fopen("/no/such/directory/file", "r");
    int e = errno;
    printf("%d ", f == NULL);
    test("fopen", e);
    errno = 0;
    volatile double neg = -1;
    double r = sqrt(neg);
    e = errno;
    printf("%d ", isnan(r) != 0);
    test("sqrt", e);
    errno = 0;
    volatile double big = 1e5;
    r = exp(big);
    e = errno;
    printf("%d ", isinf(r) != 0);
    test("exp", e);
    errno = 0;
    volatile double zero = 0;
    r = log(zero);
    e = errno;
    printf("%d ", r < 0);
    test("log", e);
    errno = 55;
    char *q = strchr("abc", 'b');
    printf("%s %d\n", q, errno);
    int *p = &errno;
    *p = EDOM;
    test("pointer", errno);
    for (int i = 0; i < 12; i++)
        printf("%s; ", strerror(i));
    puts("");
    errno = 0;
    printf("%d\n", errno == 0);
    return 0;
}
