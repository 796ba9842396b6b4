// A first program: what `selvedge run` prints is what the native binary prints.
#include <stdio.h>

int main(int argc, char **argv)
{
    printf("Hello from %s", argc > 1 ? argv[1] : "selvedge");
    for (int i = 2; i < argc; i++)
        printf(", %s", argv[i]);
    printf("!\n");

    double sum = 0;
    for (int n = 1; n <= 10; n++)
        sum += 1.0 / n;
    printf("1 + 1/2 + ... + 1/10 = %.6f\n", sum);
    return 0;
}
