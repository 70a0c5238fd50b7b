// Jobs of Swift that no loop of the program runs: its runtime gives them to a thread of the world instead of a pool.
#include "world.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

typedef __attribute__((swiftcall)) void run_job(void *job, void *identity, void *implementation);

struct waiting {
    struct waiting *next;
    // A job when `call` is null.
    void (*call)(void *);
    void *what;
    uint64_t time;
};

static run_job *run;
static struct waiting *jobs;
static struct waiting *main_jobs;
static bool has_thread;

static uint64_t key(struct waiting **list) { return (uint64_t)(uintptr_t)list; }

// Takes one of those that are due; else says when the first will be.
static bool take(struct waiting **list, struct waiting *taken, uint64_t *next) {
    int due = 0;
    *next = NEVER;
    for (struct waiting *at = *list; at; at = at->next) {
        if (at->time <= world->now) due++;
        else if (at->time < *next) *next = at->time;
    }
    if (!due) return false;
    int skip = (int)draw_below((uint64_t)due);
    for (struct waiting **at = list;; at = &(*at)->next) {
        if ((*at)->time > world->now || skip-- > 0) continue;
        struct waiting *found = *at;
        *taken = *found;
        *at = found->next;
        free(found);
        return true;
    }
}

static void *work(void *argument) {
    struct waiting **list = argument;
    for (;;) {
        uint64_t next;
        struct waiting taken;
        if (!take(list, &taken, &next)) wait_for(key(list), next);
        else if (taken.call) taken.call(taken.what);
        else run(taken.what, NULL, NULL);
    }
    return NULL;
}

static void enqueue(struct waiting **list, void (*call)(void *), void *what, uint64_t time) {
    struct waiting *added = malloc(sizeof *added);
    *added = (struct waiting){NULL, call, what, time};
    struct waiting **at = list;
    while (*at) at = &(*at)->next;
    *at = added;
    if (list == &jobs && !has_thread) {
        has_thread = true;
        pthread_t thread;
        pthread_create(&thread, NULL, work, &jobs);
        pthread_detach(thread);
    }
    wake(this_process, key(list), 1);
}

static __attribute__((swiftcall)) void enqueue_global(void *job, void *original) {
    (void)original;
    enqueue(&jobs, NULL, job, 0);
}

static __attribute__((swiftcall)) void enqueue_after(unsigned long long delay, void *job, void *original) {
    (void)original;
    enqueue(&jobs, NULL, job, world->now + delay);
}

// Its clocks are those that go on with the world.
static __attribute__((swiftcall)) void enqueue_at(
    long long seconds, long long nanoseconds, long long leeway, long long leeway_nanoseconds, int clock, void *job,
    void *original) {
    (void)leeway, (void)leeway_nanoseconds, (void)original, (void)clock;
    int64_t time = seconds * (int64_t)SECOND + nanoseconds;
    enqueue(&jobs, NULL, job, time > 0 ? (uint64_t)time : 0);
}

static __attribute__((swiftcall)) void enqueue_main(void *job, void *original) {
    (void)original;
    enqueue(&main_jobs, NULL, job, 0);
}

static __attribute__((swiftcall)) void drain_main(void *original, void *overridden) {
    (void)original, (void)overridden;
    work(&main_jobs);
}

// MARK: queues of Dispatch

static struct waiting **list_of(void *queue) {
    static void *main_queue;
    if (!main_queue) main_queue = dlsym(RTLD_DEFAULT, "_dispatch_main_q");
    return queue == main_queue ? &main_jobs : &jobs;
}

void dispatch_async_f(void *queue, void *context, void (*call)(void *)) {
    void (*next)(void *, void *, void (*)(void *)) = NEXT("dispatch_async_f");
    if (!in_world()) return next(queue, context, call);
    enqueue(list_of(queue), call, context, 0);
}

// The highest two bits of a time are its clock (private.h of Dispatch): both for that of day, which counts backwards;
// else nanoseconds since the machine started.
void dispatch_after_f(uint64_t time, void *queue, void *context, void (*call)(void *)) {
    void (*next)(uint64_t, void *, void *, void (*)(void *)) = NEXT("dispatch_after_f");
    if (!in_world()) return next(time, queue, context, call);
    if (time >> 62 == 3 && time != UINT64_MAX) fail("a job waits for a time of day");
    enqueue(list_of(queue), call, context, time == UINT64_MAX ? NEVER : time & ~(UINT64_C(1) << 63));
}

void dispatch_main(void) {
    void (*next)(void) = NEXT("dispatch_main");
    if (!in_world()) return next();
    work(&main_jobs);
}

static void set(const char *name, void *hook) {
    void **found = dlsym(RTLD_DEFAULT, name);
    if (found) *found = hook;
}

void take_swift(void) {
    run = (run_job *)dlsym(RTLD_DEFAULT, "swift_job_run");
    if (!run) return;
    set("swift_task_enqueueGlobal_hook", (void *)enqueue_global);
    set("swift_task_enqueueGlobalWithDelay_hook", (void *)enqueue_after);
    set("swift_task_enqueueGlobalWithDeadline_hook", (void *)enqueue_at);
    set("swift_task_enqueueMainExecutor_hook", (void *)enqueue_main);
    set("swift_task_asyncMainDrainQueue_hook", (void *)drain_main);
}

void world_run_main(void) { work(&main_jobs); }
