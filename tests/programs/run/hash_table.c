// Open hashing with chains: insert, look up, delete, grow; string keys from the heap.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry { struct entry *next; unsigned hash; int value; char key[]; };
struct map { struct entry **slot; unsigned n, used; };

static unsigned hash(const char *s) { unsigned h = 5381; while (*s) h = h * 33 ^ (unsigned char)*s++; return h; }

static void grow(struct map *m)
{
    unsigned n = m->n ? m->n * 2 : 4;
    struct entry **s = calloc(n, sizeof *s);
    for (unsigned i = 0; i < m->n; i++)
        for (struct entry *e = m->slot[i], *next; e; e = next) {
            next = e->next;
            e->next = s[e->hash % n];
            s[e->hash % n] = e;
        }
    free(m->slot);
    m->slot = s;
    m->n = n;
}

static int *get(struct map *m, const char *k, int create)
{
    unsigned h = hash(k);
    if (m->n)
        for (struct entry *e = m->slot[h % m->n]; e; e = e->next)
            if (e->hash == h && !strcmp(e->key, k))
                return &e->value;
    if (!create)
        return NULL;
    if (m->used >= m->n)
        grow(m);
    struct entry *e = malloc(sizeof *e + strlen(k) + 1);
    strcpy(e->key, k);
    e->hash = h;
    e->value = 0;
    e->next = m->slot[h % m->n];
    m->slot[h % m->n] = e;
    m->used++;
    return &e->value;
}

static int del(struct map *m, const char *k)
{
    for (struct entry **p = &m->slot[hash(k) % m->n]; *p; p = &(*p)->next)
        if (!strcmp((*p)->key, k)) {
            struct entry *e = *p;
            *p = e->next;
            free(e);
            m->used--;
            return 1;
        }
    return 0;
}

int main(void)
{
    struct map m = {0};
    char key[16];
    for (int i = 0; i < 600; i++) {
        snprintf(key, sizeof key, "k%d", i * 7919 % 211);
        *get(&m, key, 1) += i;
    }
    printf("%u keys, %u slots\n", m.used, m.n);
    int removed = 0;
    for (int i = 0; i < 300; i += 3) {
        snprintf(key, sizeof key, "k%d", i);
        removed += del(&m, key);
    }
    long sum = 0;
    unsigned longest = 0;
    for (unsigned i = 0; i < m.n; i++) {
        unsigned len = 0;
        for (struct entry *e = m.slot[i]; e; e = e->next, len++)
            sum += e->value;
        if (len > longest)
            longest = len;
    }
    printf("removed %d left %u sum %ld longest %u k1=%d k3=%d\n", removed, m.used, sum, longest, *get(&m, "k1", 0), get(&m, "k3", 0) != NULL);
    for (unsigned i = 0; i < m.n; i++)
        while (m.slot[i])
            del(&m, m.slot[i]->key);
    free(m.slot);
    return (int)m.used;
}
