// An interpreter for an eight-instruction tape language with a jump table computed beforehand.
#include <stdio.h>
#include <string.h>

static unsigned char tape[256];
static short jump[512];

static int prepare(const char *p)
{
    short st[64];
    int sp = 0;
    for (int i = 0; p[i]; i++)
        if (p[i] == '[')
            st[sp++] = (short)i;
        else if (p[i] == ']') {
            if (!sp)
                return -1;
            jump[i] = st[--sp];
            jump[jump[i]] = (short)i;
        }
    return sp;
}

static long run(const char *p, const char *in)
{
    long steps = 0;
    unsigned char *c = tape;
    memset(tape, 0, sizeof tape);
    for (int i = 0; p[i]; i++, steps++)
        switch (p[i]) {
        case '>': c++; break;
        case '<': c--; break;
        case '+': ++*c; break;
        case '-': --*c; break;
        case '.': putchar(*c); break;
        case ',': *c = (unsigned char)(*in ? *in++ : 0); break;
        case '[': if (!*c) i = jump[i]; break;
        case ']': if (*c) i = jump[i]; break;
        }
    return steps;
}

int main(void)
{
    static const struct { const char *p, *in; } t[] = {
        {"+++++++++[>++++++++>+++++++++++<<-]>.>++++++.<+.>-----.", ""},
        {",[.,]", "echo this\n"},
        {">,[>,]<[.<]++++++++++.", "desrever"},
        {"+++++[>+++[>+++++[>+<-]<-]<-]>>>---[-<+<++>>]<<[->+<]++++++[->++++++<]>.", ""},
        {"-----------[----->+<]>.[-]>+++++++[<+++++++++>-]<.", ""},
        {"[", ""},
        {"]", ""},
    };
    for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
        int bal = prepare(t[i].p);
        if (bal) {
            printf("unbalanced %d\n", bal);
            continue;
        }
        if (i == 3 || i == 4)
            printf("program %u:\n", i);
        long s = run(t[i].p, t[i].in);
        printf("\n%ld steps, cells %d %d %d\n", s, tape[0], tape[1], tape[2]);
    }
    return 0;
}
