// goto forwards, backwards, out of nested loops and into a loop body.
#include <stdio.h>

static int into(int start, int jump)
{
    int i = start, sum = 0;
    if (jump)
        goto middle;
    for (i = 0; i < 10; i++) {
        sum += 100;
    middle:
        sum += i;
    }
    return sum;
}

static int into_while(int n)
{
    int r = 0;
    goto test;
    while (n > 0) {
        r += n;
    test:
        n--;
        r *= 2;
        r ^= n;
    }
    return r;
}

static int find(int want)
{
    int steps = 0;
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 20; j++)
            for (int k = 0; k < 20; k++) {
                steps++;
                if (i * i + j * j + k * k == want)
                    goto found;
            }
    return -1;
found:
    return steps;
}

static int machine(const char *s)
{
    int n = 0;
start:
    switch (*s) {
    case 0: goto done;
    case '+': n++; s++; goto start;
    case '-': n--; s++; goto start;
    case '(': goto skip;
    default: s++; goto start;
    }
skip:
    if (*s && *s++ != ')')
        goto skip;
    n *= 10;
    goto start;
done:
    return n;
}

int main(void)
{
    printf("%d %d %d %d\n", into(0, 0), into(0, 1), into(7, 1), into(15, 1));
    for (int i = -1; i < 6; i++)
        printf("%d ", into_while(i));
    printf("\n%d %d %d %d\n", find(0), find(14), find(1083), find(1084));
    printf("%d %d %d\n", machine("+++--x+"), machine("++(-----)+"), machine("(("));
    int i = 0;
again:
    {
        int local = i * i;
        printf("%d ", local);
        if (++i < 8)
            goto again;
    }
    puts("");
    if (i == 8)
        goto in_else;
    if (i < 0) {
        puts("never");
    } else {
    in_else:
        puts("jumped into else");
    }
    return 0;
}
