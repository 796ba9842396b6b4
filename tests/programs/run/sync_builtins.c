// The older __sync_* and the __atomic_* builtins, including nand, min and max.
#include <stdint.h>
#include <stdio.h>

#define SYNC(T) do { \
    T v = 10; \
    printf(#T " %lld", (long long)__sync_fetch_and_add(&v, 5)); \
    printf(" %lld", (long long)__sync_add_and_fetch(&v, 5)); \
    printf(" %lld", (long long)__sync_fetch_and_sub(&v, 30)); \
    printf(" %lld", (long long)__sync_sub_and_fetch(&v, 1)); \
    printf(" %lld", (long long)__sync_fetch_and_or(&v, 0x60)); \
    printf(" %lld", (long long)__sync_and_and_fetch(&v, 0x77)); \
    printf(" %lld", (long long)__sync_xor_and_fetch(&v, 0x0f)); \
    printf(" %d", __sync_bool_compare_and_swap(&v, (T)0, (T)1)); \
    printf(" %lld", (long long)__sync_val_compare_and_swap(&v, v, (T)55)); \
    printf(" %lld\n", (long long)v); \
} while (0)

#define ATOM(T) do { \
    T v = 12, r, w = 99; \
    printf(#T " %lld", (long long)__atomic_fetch_nand(&v, 6, __ATOMIC_SEQ_CST)); \
    printf(" %lld", (long long)__atomic_nand_fetch(&v, 0x33, __ATOMIC_RELAXED)); \
    printf(" %lld", (long long)__atomic_add_fetch(&v, 0x7f, __ATOMIC_ACQ_REL)); \
    __atomic_exchange(&v, &w, &r, __ATOMIC_SEQ_CST); \
    printf(" %lld", (long long)r); \
    __atomic_load(&v, &r, __ATOMIC_ACQUIRE); \
    w = 3; \
    __atomic_store(&v, &w, __ATOMIC_RELEASE); \
    printf(" %lld %lld", (long long)r, (long long)__atomic_load_n(&v, __ATOMIC_RELAXED)); \
    r = 3; w = -8; \
    int ok = __atomic_compare_exchange(&v, &r, &w, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); \
    printf(" %d %lld\n", ok, (long long)v); \
} while (0)

int main(void)
{
    SYNC(int8_t); SYNC(uint8_t); SYNC(int16_t); SYNC(uint16_t);
    SYNC(int32_t); SYNC(uint32_t); SYNC(int64_t); SYNC(uint64_t);
    ATOM(int8_t); ATOM(uint8_t); ATOM(int16_t); ATOM(uint16_t);
    ATOM(int32_t); ATOM(uint32_t); ATOM(int64_t); ATOM(uint64_t);
    __sync_synchronize();
    int lock = 0;
    printf("%d", __sync_lock_test_and_set(&lock, 1));
    printf(" %d", __sync_lock_test_and_set(&lock, 1));
    __sync_lock_release(&lock);
    printf(" %d\n", lock);
    char flag = 0;
    int a = __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST);
    int b = __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST);
    __atomic_clear(&flag, __ATOMIC_SEQ_CST);
    printf("%d %d %d\n", a != 0, b != 0, flag);
    return 0;
}
