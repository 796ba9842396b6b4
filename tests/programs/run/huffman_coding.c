// Huffman coding: frequencies, tree from an array heap, code table, bit packing and unpacking.
#include <stdio.h>
#include <string.h>

struct node { unsigned freq; short l, r; unsigned char sym; };
static struct node nd[512];
static int n;
static struct { unsigned bits; int len; } code[256];

static int lightest(const char *used)
{
    int b = -1;
    for (int i = 0; i < n; i++)
        if (!used[i] && (b < 0 || nd[i].freq < nd[b].freq))
            b = i;
    return b;
}

static void assign(int i, unsigned bits, int len)
{
    if (nd[i].l < 0) {
        code[nd[i].sym].bits = bits;
        code[nd[i].sym].len = len ? len : 1;
        return;
    }
    assign(nd[i].l, bits << 1, len + 1);
    assign(nd[i].r, bits << 1 | 1, len + 1);
}

static void trial(const char *t)
{
    unsigned freq[256] = {0};
    char used[512] = {0};
    unsigned char out[256] = {0};
    n = 0;
    memset(code, 0, sizeof code);
    for (const char *p = t; *p; p++)
        freq[(unsigned char)*p]++;
    for (int c = 0; c < 256; c++)
        if (freq[c])
            nd[n++] = (struct node){freq[c], -1, -1, (unsigned char)c};
    int leaves = n;
    for (int k = 1; k < leaves; k++) {
        int a = lightest(used);
        used[a] = 1;
        int b = lightest(used);
        used[b] = 1;
        nd[n] = (struct node){nd[a].freq + nd[b].freq, (short)a, (short)b, 0};
        n++;
    }
    assign(n - 1, 0, 0);
    unsigned pos = 0;
    for (const char *p = t; *p; p++)
        for (int i = code[(unsigned char)*p].len - 1; i >= 0; i--, pos++)
            out[pos >> 3] |= (unsigned char)((code[(unsigned char)*p].bits >> i & 1) << (7 - (pos & 7)));
    char back[256];
    size_t m = 0;
    for (unsigned q = 0; q < pos;) {
        int i = n - 1;
        if (nd[i].l < 0) q++;
        while (nd[i].l >= 0) { i = out[q >> 3] >> (7 - (q & 7)) & 1 ? nd[i].r : nd[i].l; q++; }
        back[m++] = (char)nd[i].sym;
    }
    back[m] = 0;
    unsigned h = 0;
    for (unsigned i = 0; i < (pos + 7) / 8; i++)
        h = h * 257 + out[i];
    printf("%zu bytes, %d symbols, %u bits, hash %08x, %s\n", strlen(t), leaves, pos, h, strcmp(back, t) ? "BAD" : "ok");
}

int main(void)
{
    trial("abracadabra");
    trial("aaaaaaa");
    trial("the warp threads run lengthwise and the weft threads run from selvedge to selvedge");
    trial("ab");
    trial("0123456789abcdefghijklmnopqrstuvwxyz");
    for (const char *p = "09azm"; *p; p++)
        printf("%c:%d/%x ", *p, code[(unsigned char)*p].len, code[(unsigned char)*p].bits);
    puts("");
    return 0;
}
