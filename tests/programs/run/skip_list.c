// A skip list with deterministic levels: insertion, search with step counts, deletion.
#include <stdio.h>
#include <stdlib.h>

#define LEVELS 8
struct node { int key, level; struct node *next[]; };
static struct node *head;
static unsigned seed = 1;
static long steps;

static struct node *mk(int key, int level)
{
    struct node *n = malloc(sizeof *n + (size_t)level * sizeof n->next[0]);
    n->key = key;
    n->level = level;
    for (int i = 0; i < level; i++)
        n->next[i] = NULL;
    return n;
}

static struct node *locate(int key, struct node *prev[])
{
    struct node *n = head;
    for (int l = LEVELS - 1; l >= 0; l--) {
        while (n->next[l] && n->next[l]->key < key) {
            n = n->next[l];
            steps++;
        }
        prev[l] = n;
    }
    return n->next[0];
}

static int insert(int key)
{
    struct node *prev[LEVELS], *n = locate(key, prev);
    if (n && n->key == key)
        return 0;
    seed = seed * 1103515245u + 12345u;
    int level = 1 + __builtin_ctz(seed >> 16 | 1u << (LEVELS - 1));
    n = mk(key, level);
    for (int l = 0; l < level; l++) {
        n->next[l] = prev[l]->next[l];
        prev[l]->next[l] = n;
    }
    return 1;
}

static int erase(int key)
{
    struct node *prev[LEVELS], *n = locate(key, prev);
    if (!n || n->key != key)
        return 0;
    for (int l = 0; l < n->level; l++)
        prev[l]->next[l] = n->next[l];
    free(n);
    return 1;
}

int main(void)
{
    head = mk(-1, LEVELS);
    int in = 0, out = 0, found = 0, ordered = 1, count = 0;
    for (int i = 0; i < 500; i++)
        in += insert(i * 379 % 401);
    for (int i = 0; i < 401; i += 3)
        out += erase(i);
    steps = 0;
    struct node *prev[LEVELS];
    for (int i = 0; i < 401; i++) {
        struct node *n = locate(i, prev);
        found += n && n->key == i;
    }
    printf("in %d out %d found %d steps %ld\n", in, out, found, steps);
    for (int l = 0; l < LEVELS; l++) {
        int n = 0;
        for (struct node *p = head->next[l]; p; p = p->next[l]) {
            n++;
            ordered &= !p->next[l] || p->key < p->next[l]->key;
        }
        printf("%d ", n);
    }
    printf("ordered %d\n", ordered);
    for (struct node *p = head, *q; p; p = q, count++) {
        q = p->next[0];
        free(p);
    }
    printf("freed %d\n", count);
    return 0;
}
