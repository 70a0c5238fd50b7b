// Tells the thread sanitizer what it doesn't see of Swift's libraries, which are built without it: that a thread which
// waited for a Mutex comes after the one that had it, and that a task which finds its continuation resumed already
// comes after the one that resumed it. The paths that don't wait are compiled into our own code, and all else is
// reported by Swift's runtime. Every call is passed on; without the sanitizer the file is empty.
#if __has_feature(thread_sanitizer)
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// The sanitizer has nothing to look for in here.
#pragma clang attribute push(__attribute__((disable_sanitizer_instrumentation)), apply_to = function)

#define SWIFT __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context))
#define SWIFT_ASYNC __attribute__((swiftasynccall))
#define SWIFT_ASYNC_CONTEXT __attribute__((swift_async_context))

// Symbols of Swift 6.3; _MutexHandle's three are public and can't change.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define AWAIT "swift_continuation_await"

// The beginnings of what compiled code shares with the runtime: swift/ABI/Task.h.
struct context {
    void *parent;
    SWIFT_ASYNC void (*resume)(SWIFT_ASYNC_CONTEXT struct context *);
};
struct task {
    void *job[7];
    SWIFT_ASYNC void (*resume)(SWIFT_ASYNC_CONTEXT struct context *);
};

extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);
extern SWIFT struct task *swift_task_getCurrent(void);

SWIFT void lock(uint32_t thread, SWIFT_SELF void *mutex) __asm__(LOCK);
SWIFT bool try_lock(SWIFT_SELF void *mutex) __asm__(TRY_LOCK);
SWIFT void unlock(SWIFT_SELF void *mutex) __asm__(UNLOCK);
SWIFT_ASYNC void await(struct context *continuation) __asm__(AWAIT);

static SWIFT void (*swift_lock)(uint32_t, SWIFT_SELF void *);
static SWIFT bool (*swift_try_lock)(SWIFT_SELF void *);
static SWIFT void (*swift_unlock)(SWIFT_SELF void *);
static SWIFT_ASYNC void (*swift_await)(struct context *);

// The next one in the order of loading is Swift's.
static void *next(const char *name) { return dlsym((void *)-1L, name); }

__attribute__((constructor)) static void begin(void) {
    swift_lock = next(LOCK);
    swift_try_lock = next(TRY_LOCK);
    swift_unlock = next(UNLOCK);
    swift_await = next(AWAIT);
    if (!swift_lock || !swift_try_lock || !swift_unlock || !swift_await) __builtin_trap();
}

SWIFT void lock(uint32_t thread, SWIFT_SELF void *mutex) {
    swift_lock(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT bool try_lock(SWIFT_SELF void *mutex) {
    bool is_locked = swift_try_lock(mutex);
    if (is_locked) __tsan_acquire(mutex);
    return is_locked;
}

SWIFT void unlock(SWIFT_SELF void *mutex) {
    __tsan_release(mutex);
    swift_unlock(mutex);
}

// Where a task continues that did not have to wait; one that did is reported by the runtime, and continues at its own
// `resume`, which is what the continuation's was when it was made.
static SWIFT_ASYNC void go_on(SWIFT_ASYNC_CONTEXT struct context *continuation) {
    struct task *task = swift_task_getCurrent();
    __tsan_acquire(task);
    __attribute__((musttail)) return task->resume(continuation);
}

SWIFT_ASYNC void await(struct context *continuation) {
    continuation->resume = go_on;
    __attribute__((musttail)) return swift_await(continuation);
}
#pragma clang attribute pop
#endif
