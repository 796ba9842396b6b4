// expect: verified
// selvedge: --allow abort
// executions: 1
// an abort before there is anything to explore is one execution
#include <stdlib.h>

int main(void)
{
    abort();
}
