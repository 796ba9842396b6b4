// A stack-machine interpreter running hand-assembled bytecode with calls, loops and memory.
#include <stdint.h>
#include <stdio.h>

enum { HALT, PUSH, ADD, SUB, MUL, MOD, DUP, SWAP, DROP, LOAD, STORE, JMP, JZ, LT, EQ, CALL, RET, PRINT, OVER };

struct vm { const int16_t *code; int pc, sp, fp; int32_t st[64]; int rs[32]; int32_t mem[32]; long steps; };

static int run(struct vm *m)
{
    for (;;) {
        int32_t t;
        m->steps++;
        switch (m->code[m->pc++]) {
        case HALT: return m->sp ? m->st[m->sp - 1] : 0;
        case PUSH: m->st[m->sp++] = m->code[m->pc++]; break;
        case ADD: m->sp--; m->st[m->sp - 1] += m->st[m->sp]; break;
        case SUB: m->sp--; m->st[m->sp - 1] -= m->st[m->sp]; break;
        case MUL: m->sp--; m->st[m->sp - 1] *= m->st[m->sp]; break;
        case MOD: m->sp--; m->st[m->sp - 1] %= m->st[m->sp]; break;
        case DUP: m->st[m->sp] = m->st[m->sp - 1]; m->sp++; break;
        case OVER: m->st[m->sp] = m->st[m->sp - 2]; m->sp++; break;
        case SWAP: t = m->st[m->sp - 1]; m->st[m->sp - 1] = m->st[m->sp - 2]; m->st[m->sp - 2] = t; break;
        case DROP: m->sp--; break;
        case LOAD: m->st[m->sp++] = m->mem[m->code[m->pc++]]; break;
        case STORE: m->mem[m->code[m->pc++]] = m->st[--m->sp]; break;
        case JMP: m->pc = m->code[m->pc]; break;
        case JZ: t = m->code[m->pc++]; if (!m->st[--m->sp]) m->pc = t; break;
        case LT: m->sp--; m->st[m->sp - 1] = m->st[m->sp - 1] < m->st[m->sp]; break;
        case EQ: m->sp--; m->st[m->sp - 1] = m->st[m->sp - 1] == m->st[m->sp]; break;
        case CALL: m->rs[m->fp++] = m->pc + 1; m->pc = m->code[m->pc]; break;
        case RET: m->pc = m->rs[--m->fp]; break;
        case PRINT: printf("%d ", m->st[--m->sp]); break;
        default: return -1;
        }
    }
}

static const int16_t factorial[] = {PUSH, 10, CALL, 5, HALT,
    /*5*/ DUP, PUSH, 2, LT, JZ, 15, DROP, PUSH, 1, RET,
    /*15*/ DUP, PUSH, 1, SUB, CALL, 5, MUL, RET};
static const int16_t primes[] = {PUSH, 2, STORE, 0,
    /*4*/ LOAD, 0, PUSH, 60, LT, JZ, 48, PUSH, 2, STORE, 1,
    /*15*/ LOAD, 1, LOAD, 0, LT, JZ, 38, LOAD, 0, LOAD, 1, MOD, JZ, 41, LOAD, 1, PUSH, 1, ADD, STORE, 1, JMP, 15,
    /*38*/ LOAD, 0, PRINT,
    /*41*/ LOAD, 0, PUSH, 1, ADD, JMP, 51, /*48*/ PUSH, 99, HALT, /*51*/ STORE, 0, JMP, 4};
static const int16_t gcd[] = {PUSH, 1071, PUSH, 462, /*4*/ DUP, JZ, 12, SWAP, OVER, MOD, JMP, 4, /*12*/ DROP, HALT};

int main(void)
{
    struct { const char *n; const int16_t *c; } progs[] = {{"factorial", factorial}, {"primes", primes}, {"gcd", gcd}};
    for (int i = 0; i < 3; i++) {
        struct vm m = {.code = progs[i].c};
        int r = run(&m);
        printf("%s -> %d in %ld steps, sp %d\n", progs[i].n, r, m.steps, m.sp);
    }
    return 0;
}
