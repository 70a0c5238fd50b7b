// Threads: each is made when the world says so, and waits for its turn whenever it would wait for another one.
#include "world.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <dlfcn.h>
#include <unistd.h>

// Those of glibc itself, which need not be looked up: that would take a lock.
int own_mutex_lock(pthread_mutex_t *mutex);
int own_mutex_unlock(pthread_mutex_t *mutex);
__asm__(".symver own_mutex_lock, __pthread_mutex_lock@GLIBC_2.2.5");
__asm__(".symver own_mutex_unlock, __pthread_mutex_unlock@GLIBC_2.2.5");

// MARK: made and ended

struct start {
    void *(*run)(void *);
    void *argument;
    int thread;
};

enum { known_limit = 4096 };

// The threads of this process that can still be joined.
static struct known {
    pthread_t id;
    int thread;
    bool is_used, has_ended;
} known[known_limit];

static struct known *find(pthread_t id) {
    for (int at = 0; at < known_limit; at++)
        if (known[at].is_used && known[at].id == id) return &known[at];
    return NULL;
}

static void ended(void *argument) {
    (void)argument;
    struct known *own = find(pthread_self());
    if (own) {
        own->has_ended = true;
        wake(this_process, (uint64_t)(uintptr_t)own, INT_MAX);
    }
    int thread = this_thread;
    end_thread(thread);
    this_thread = -1;
    leave_turn();
}

static void *begin(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    wait_turn(start.thread);
    this_thread = start.thread;
    void *result;
    pthread_cleanup_push(ended, NULL);
    result = start.run(start.argument);
    pthread_cleanup_pop(1);
    return result;
}

int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = NEXT("pthread_create");
    if (!in_world()) return next(id, attributes, run, argument);
    struct start *start = malloc(sizeof *start);
    *start = (struct start){run, argument, add_thread(this_process)};
    int thread = start->thread;
    int result = next(id, attributes, begin, start);
    if (result) {
        end_thread(thread);
        free(start);
        return result;
    }
    for (int at = 0;; at++) {
        if (at == known_limit) fail("too many threads of a process");
        if (known[at].is_used) continue;
        int state = PTHREAD_CREATE_JOINABLE;
        if (attributes) pthread_attr_getdetachstate(attributes, &state);
        if (state == PTHREAD_CREATE_JOINABLE) known[at] = (struct known){*id, thread, true, false};
        break;
    }
    make_ready(thread);
    return 0;
}

int pthread_detach(pthread_t id) {
    int (*next)(pthread_t) = NEXT("pthread_detach");
    struct known *other = in_world() ? find(id) : NULL;
    if (other) other->is_used = false;
    return next(id);
}

int pthread_join(pthread_t id, void **result) {
    int (*next)(pthread_t, void **) = NEXT("pthread_join");
    struct known *other = in_world() ? find(id) : NULL;
    if (other) {
        while (!other->has_ended) wait_for((uint64_t)(uintptr_t)other, NEVER);
        other->is_used = false;
    }
    return next(id, result);
}

// MARK: locks
//
// Who holds one goes on when it is its turn: the others ask again then.

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    if (!in_world()) return own_mutex_lock(mutex);
    for (;;) {
        int result = pthread_mutex_trylock(mutex);
        if (result != EBUSY) return result;
        give_way();
    }
}

static uint64_t deadline_of(const struct timespec *time, clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    int64_t left = (time->tv_sec - now.tv_sec) * (int64_t)SECOND + time->tv_nsec - now.tv_nsec;
    return world->now + (left > 0 ? (uint64_t)left : 0);
}

static int wait_for_condition(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t deadline) {
    own_mutex_unlock(mutex);
    bool is_woken = wait_for((uint64_t)(uintptr_t)condition, deadline);
    pthread_mutex_lock(mutex);
    return is_woken ? 0 : ETIMEDOUT;
}

int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex) {
    int (*next)(pthread_cond_t *, pthread_mutex_t *) = NEXT("pthread_cond_wait");
    return in_world() ? wait_for_condition(condition, mutex, NEVER) : next(condition, mutex);
}

// The clock of a condition can't be asked for; glibc keeps it in a bit, which is set for the monotonic one.
static clockid_t clock_of(pthread_cond_t *condition) {
    return condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time) {
    int (*next)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *) = NEXT("pthread_cond_timedwait");
    if (!in_world()) return next(condition, mutex, time);
    return wait_for_condition(condition, mutex, deadline_of(time, clock_of(condition)));
}

int pthread_cond_clockwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *time) {
    int (*next)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *) =
        NEXT("pthread_cond_clockwait");
    if (!in_world()) return next(condition, mutex, clock, time);
    return wait_for_condition(condition, mutex, deadline_of(time, clock));
}

int pthread_cond_signal(pthread_cond_t *condition) {
    int (*next)(pthread_cond_t *) = NEXT("pthread_cond_signal");
    if (!in_world()) return next(condition);
    if (wake(this_process, (uint64_t)(uintptr_t)condition, 1)) maybe_give_way();
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *condition) {
    int (*next)(pthread_cond_t *) = NEXT("pthread_cond_broadcast");
    if (!in_world()) return next(condition);
    if (wake(this_process, (uint64_t)(uintptr_t)condition, INT_MAX)) maybe_give_way();
    return 0;
}

int sem_wait(sem_t *semaphore) {
    int (*next)(sem_t *) = NEXT("sem_wait");
    if (!in_world()) return next(semaphore);
    while (sem_trywait(semaphore)) {
        if (errno != EAGAIN) return -1;
        wait_for((uint64_t)(uintptr_t)semaphore, NEVER);
    }
    return 0;
}

int sem_post(sem_t *semaphore) {
    int (*next)(sem_t *) = NEXT("sem_post");
    int result = next(semaphore);
    if (in_world() && wake(this_process, (uint64_t)(uintptr_t)semaphore, 1)) maybe_give_way();
    return result;
}

// MARK: what calls the system by number

static long raw(long number, long a, long b, long c, long d, long e, long f) {
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    if (result < 0 && result > -4096) {
        errno = (int)-result;
        return -1;
    }
    return result;
}

static long futex(long word, long operation, long value, long time, long second, long third) {
    switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: {
        if (__atomic_load_n((uint32_t *)word, __ATOMIC_ACQUIRE) != (uint32_t)value) return errno = EAGAIN, -1;
        const struct timespec *left = (const struct timespec *)time;
        uint64_t deadline = NEVER;
        if (left && (operation & FUTEX_CMD_MASK) == FUTEX_WAIT)
            deadline = world->now + (uint64_t)left->tv_sec * SECOND + (uint64_t)left->tv_nsec;
        else if (left)
            deadline = deadline_of(left, operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC);
        if (wait_for((uint64_t)word, deadline)) return 0;
        return errno = ETIMEDOUT, -1;
    }
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET: return wake(this_process, (uint64_t)word, (int)value);
    case FUTEX_LOCK_PI:
    case FUTEX_LOCK_PI2:
        // Held by one that will run again.
        for (;;) {
            long result = raw(SYS_futex, word, FUTEX_TRYLOCK_PI | FUTEX_PRIVATE_FLAG, 0, 0, 0, 0);
            if (result == 0 || (errno != EAGAIN && errno != EWOULDBLOCK)) return result;
            give_way();
        }
    default: return raw(SYS_futex, word, operation, value, time, second, third);
    }
}

long syscall(long number, ...) {
    va_list list;
    va_start(list, number);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long);
    long d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
    va_end(list);
    if (in_world()) {
        if (number == SYS_futex) return futex(a, b, c, d, e, f);
        if (number == SYS_getrandom) {
            ssize_t getrandom(void *, size_t, unsigned int);
            return getrandom((void *)a, (size_t)b, (unsigned int)c);
        }
    }
    return raw(number, a, b, c, d, e, f);
}
