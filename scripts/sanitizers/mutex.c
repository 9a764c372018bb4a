// Tells the thread sanitizer about Swift's Mutex: how a contended lock is handed over.
//
// The lock's fast paths are emitted into our code, where the sanitizer sees their atomic operations; the slow paths
// are in a library that is not instrumented. LD_PRELOAD this into a program built with --sanitize=thread.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

SWIFT void lock_slow(uint32_t state, SELF) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT bool try_lock_slow(SELF) __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
SWIFT void unlock_slow(SELF) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

SWIFT void lock_slow(uint32_t state, SELF) {
    static SWIFT void (*original)(uint32_t, SELF);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    original(state, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool try_lock_slow(SELF) {
    static SWIFT bool (*original)(SELF);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
    bool done = original(self);
    if (done && __tsan_acquire) __tsan_acquire(self);
    return done;
}

SWIFT void unlock_slow(SELF) {
    static SWIFT void (*original)(SELF);
    if (!original) *(void **)&original = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    if (__tsan_release) __tsan_release(self);
    original(self);
}
