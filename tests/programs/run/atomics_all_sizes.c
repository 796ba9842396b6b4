// flags: -mcx16
// link: -latomic
// C11 atomic loads, stores and read-modify-write operations on 1, 2, 4, 8 and 16 bytes.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

#define RUN(T, NAME) do { \
    static _Atomic(T) v; \
    atomic_init(&v, (T)5); \
    T r = atomic_load(&v); \
    printf(NAME " %lld", (long long)r); \
    atomic_store(&v, (T)-3); \
    printf(" %lld", (long long)atomic_exchange(&v, (T)100)); \
    printf(" %lld", (long long)atomic_fetch_add(&v, (T)100)); \
    printf(" %lld", (long long)atomic_fetch_sub(&v, (T)7)); \
    printf(" %lld", (long long)atomic_fetch_or(&v, (T)0x41)); \
    printf(" %lld", (long long)atomic_fetch_and(&v, (T)0x5f)); \
    printf(" %lld", (long long)atomic_fetch_xor(&v, (T)-1)); \
    printf(" %lld\n", (long long)atomic_load(&v)); \
    T e = (T)1; \
    int ok = atomic_compare_exchange_strong(&v, &e, (T)9); \
    printf("  cas %d %lld", ok, (long long)e); \
    ok = atomic_compare_exchange_strong(&v, &e, (T)9); \
    printf(" %d %lld %lld", ok, (long long)e, (long long)atomic_load(&v)); \
    v += 3; v *= 5; v -= 1; v <<= 1; v ^= 0x55; v++; --v; \
    printf(" ops %lld\n", (long long)v); \
} while (0)

int main(void)
{
    RUN(int8_t, "i8");
    RUN(uint8_t, "u8");
    RUN(int16_t, "i16");
    RUN(uint16_t, "u16");
    RUN(int32_t, "i32");
    RUN(uint32_t, "u32");
    RUN(int64_t, "i64");
    RUN(uint64_t, "u64");
    RUN(__int128, "i128");
    RUN(unsigned __int128, "u128");
    struct pair { uint64_t a, b; };
    static _Atomic struct pair p;
    struct pair init = {1, 2};
    atomic_store(&p, init);
    for (int i = 0; i < 5; i++) {
        struct pair old = atomic_load(&p), new;
        do {
            new.a = old.b;
            new.b = old.a + old.b;
        } while (!atomic_compare_exchange_weak(&p, &old, new));
    }
    struct pair r = atomic_load(&p);
    printf("pair %llu %llu\n", (unsigned long long)r.a, (unsigned long long)r.b);
    return 0;
}
