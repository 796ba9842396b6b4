// LRU cache: doubly linked list through an array of nodes plus a direct-mapped index.
#include <stdio.h>

#define CAP 8
#define KEYS 64
struct node { int key; long value; struct node *prev, *next; };
static struct node pool[CAP], head = {-1, 0, &head, &head}, *index_[KEYS];
static int used, hits, misses, evicted;

static void unlink_(struct node *n) { n->prev->next = n->next; n->next->prev = n->prev; }
static void front(struct node *n) { n->next = head.next; n->prev = &head; head.next->prev = n; head.next = n; }

static long compute(int k) { long r = 1; for (int i = 0; i < k; i++) r = r * 636413622384L % 1000003 + i; return r; }
static long lookup(int k)
{
    struct node *n = index_[k];
    if (n) {
        hits++;
        unlink_(n);
        front(n);
        return n->value;
    }
    misses++;
    if (used < CAP) {
        n = &pool[used++];
    } else {
        n = head.prev;
        unlink_(n);
        index_[n->key] = NULL;
        evicted = n->key;
    }
    n->key = k;
    n->value = compute(k);
    index_[k] = n;
    front(n);
    return n->value;
}

int main(void)
{
    unsigned long sum = 0;
    unsigned x = 3;
    for (int i = 0; i < 400; i++) {
        x = x * 69069 + 5;
        int k = i % 3 ? (int)(x >> 24) % 6 : (int)(x >> 20) % KEYS;
        sum = sum * 7 + (unsigned long)lookup(k);
    }
    printf("hits %d misses %d last evicted %d sum %lu\n", hits, misses, evicted, sum);
    printf("order:");
    for (struct node *n = head.next; n != &head; n = n->next)
        printf(" %d", n->key);
    printf("\nreverse:");
    for (struct node *n = head.prev; n != &head; n = n->prev)
        printf(" %d", n->key);
    puts("");
    int live = 0;
    for (int i = 0; i < KEYS; i++)
        live += index_[i] && index_[i]->key == i;
    printf("live %d\n", live);
    return 0;
}
