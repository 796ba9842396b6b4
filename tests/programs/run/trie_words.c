// A trie of words with counting, prefix listing and deletion; nodes from a fixed pool.
#include <stdio.h>
#include <string.h>

struct node { short kid[26]; short count; };
static struct node pool[400];
static int used = 1;

static void add(const char *w)
{
    int n = 0;
    for (; *w; w++) {
        short *k = &pool[n].kid[*w - 'a'];
        if (!*k)
            *k = (short)used++;
        n = *k;
    }
    pool[n].count++;
}

static int walk(const char *w)
{
    int n = 0;
    for (; *w && n >= 0; w++)
        n = pool[n].kid[*w - 'a'] ? pool[n].kid[*w - 'a'] : -1;
    return n;
}

static int list(int n, char *buf, int len)
{
    int found = 0;
    if (pool[n].count) {
        buf[len] = 0;
        printf("%s:%d ", buf, pool[n].count);
        found++;
    }
    for (int c = 0; c < 26; c++)
        if (pool[n].kid[c]) {
            buf[len] = (char)('a' + c);
            found += list(pool[n].kid[c], buf, len + 1);
        }
    return found;
}

static int depth(int n)
{
    int d = 0;
    for (int c = 0; c < 26; c++)
        if (pool[n].kid[c]) {
            int k = 1 + depth(pool[n].kid[c]);
            if (k > d)
                d = k;
        }
    return d;
}

int main(void)
{
    const char *w[] = {"warp", "weft", "weave", "weaver", "web", "wool", "loom", "loop", "look", "weft", "warped", "yarn", "a", "loom", "loom"};
    for (unsigned i = 0; i < sizeof w / sizeof *w; i++)
        add(w[i]);
    char buf[32];
    printf("= %d\n", list(0, buf, 0));
    const char *pre[] = {"we", "loo", "x", "warp", ""};
    for (int i = 0; i < 5; i++) {
        int n = walk(pre[i]);
        strcpy(buf, pre[i]);
        printf("'%s' -> ", pre[i]);
        printf("= %d\n", n < 0 ? 0 : list(n, buf, (int)strlen(pre[i])));
    }
    pool[walk("loom")].count = 0;
    printf("%d %d %d\n", walk("loo") > 0, pool[walk("look")].count, walk("looms"));
    printf("nodes %d depth %d\n", used, depth(0));
    return 0;
}
