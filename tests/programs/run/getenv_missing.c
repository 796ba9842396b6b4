// getenv of variables that are not set; results of setenv within the process.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *get(const char *n)
{
    const char *v = getenv(n);
    return v ? v : "(null)";
}

int main(void)
{
    printf("%s\n", get("SELVEDGE_NO_SUCH_VARIABLE_ZZZ"));
    printf("%s\n", get(""));
    printf("%d\n", getenv("ANOTHER=BAD=NAME") == NULL);
    int rc = setenv("SELVEDGE_T1", "first", 1);
    printf("%d %s\n", rc, get("SELVEDGE_T1"));
    rc = setenv("SELVEDGE_T1", "second", 0);
    printf("%d %s\n", rc, get("SELVEDGE_T1"));
    rc = setenv("SELVEDGE_T1", "third and longer value", 1);
    printf("%d %s %zu\n", rc, get("SELVEDGE_T1"), strlen(get("SELVEDGE_T1")));
    rc = unsetenv("SELVEDGE_T1");
    printf("%d %s\n", rc, get("SELVEDGE_T1"));
    rc = setenv("BAD=NAME", "x", 1);
    printf("%d\n", rc);
    rc = setenv("SELVEDGE_EMPTY", "", 1);
    printf("%d '%s'\n", rc, get("SELVEDGE_EMPTY"));
    return 0;
}
