// Power-of-two ring buffer with free-running unsigned indices, including index wrap-around.
#include <stdint.h>
#include <stdio.h>

#define SIZE 16u
struct ring { uint8_t head, tail; short data[SIZE]; };          /* 8-bit indices wrap often */
struct ring32 { uint32_t head, tail; int data[SIZE]; };

static unsigned count(const struct ring *r) { return (uint8_t)(r->head - r->tail); }
static int push(struct ring *r, short v)
{
    if (count(r) == SIZE)
        return 0;
    r->data[r->head++ % SIZE] = v;
    return 1;
}
static int pop(struct ring *r, short *v)
{
    if (r->head == r->tail)
        return 0;
    *v = r->data[r->tail++ & (SIZE - 1)];
    return 1;
}

int main(void)
{
    struct ring r = {250, 250, {0}};
    int pushed = 0, popped = 0, full = 0, empty = 0, order = 1;
    short next = 0, v;
    unsigned x = 17, maxfill = 0;
    for (int i = 0; i < 3000; i++) {
        x = x * 1664525u + 1013904223u;
        if ((int)(x >> 28) < 8 + (i / 500 % 2)) {
            if (push(&r, (short)pushed)) pushed++;
            else full++;
        } else if (pop(&r, &v)) {
            order &= v == next;
            next++;
            popped++;
        } else
            empty++;
        if (count(&r) > maxfill)
            maxfill = count(&r);
    }
    printf("pushed %d popped %d full %d empty %d order %d max %u left %u\n", pushed, popped, full, empty, order, maxfill, count(&r));
    struct ring32 q = {0xfffffff0u, 0xfffffff0u, {0}};
    long sum = 0;
    for (int i = 0; i < 100; i++) {
        while (q.head - q.tail < SIZE)
            q.data[q.head++ % SIZE] = i * 10;
        for (int k = 0; k < 1 + i % 7; k++)
            sum += q.data[q.tail++ % SIZE] * (k + 1);
    }
    printf("%u %u %ld\n", q.head, q.tail, sum);
    return 0;
}
