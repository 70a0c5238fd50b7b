// Who runs next, and how time goes on: it does when no thread can run.
#include "world.h"

#include <linux/futex.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct world *world;
int this_process = -1;
_Thread_local int this_thread = -1;

// What a turn costs at the least: so that no one who asks again and again stops time.
static const uint64_t turn_time = 2000;

static long raw_futex(uint32_t *word, int operation, uint32_t value) {
    long result;
    register long r10 __asm__("r10") = 0;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(SYS_futex), "D"(word), "S"((long)operation), "d"((long)value), "r"(r10)
                     : "rcx", "r11", "memory");
    return result;
}

_Noreturn void fail(const char *what) {
    dprintf(2, "simulated machine: process %d (%s), thread %d at %.6f s: %s\n", this_process,
        world && this_process >= 0 ? world->processes[this_process].name : "", this_thread,
        world ? (double)world->now / 1e9 : 0, what);
    // All others end with the driver.
    if (world && this_process > 0) syscall(SYS_kill, world->processes[world->driver].real_pid, SIGKILL);
    for (;;) syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
}

// splitmix64: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
uint64_t draw(uint64_t *chance) {
    uint64_t z = (*chance += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

uint64_t draw_below(uint64_t limit) { return limit ? draw(&world->chance) % limit : 0; }

void note(uint64_t value) {
    uint64_t mixed = world->hash ^ value;
    world->hash = draw(&mixed);
}

uint64_t key_of_object(int object) { return UINT64_MAX / 2 + (uint64_t)object; }

// MARK: ready threads

void make_ready(int number) {
    struct thread *thread = &world->threads[number];
    if (thread->state != thread_waiting) return;
    thread->state = thread_ready;
    thread->key = 0;
    thread->deadline = NEVER;
    world->ready[world->ready_count++] = number;
}

int add_thread(int process) {
    for (int number = 0; number < thread_limit; number++) {
        struct thread *thread = &world->threads[number];
        if (thread->state != thread_free) continue;
        *thread = (struct thread){.state = thread_waiting, .process = process, .deadline = NEVER};
        if (number >= world->thread_count) world->thread_count = number + 1;
        return number;
    }
    fail("too many threads");
}

static void drop_ready(int number) {
    for (int at = 0; at < world->ready_count; at++) {
        if (world->ready[at] != number) continue;
        world->ready[at] = world->ready[--world->ready_count];
        return;
    }
}

void end_thread(int number) {
    drop_ready(number);
    world->threads[number].state = thread_free;
}

int wake(int process, uint64_t key, int most) {
    int woken = 0;
    for (int number = 0; number < world->thread_count && woken < most; number++) {
        struct thread *thread = &world->threads[number];
        if (thread->state != thread_waiting || thread->process != process || thread->key != key || !key) continue;
        thread->is_late = false;
        make_ready(number);
        woken++;
    }
    return woken;
}

// MARK: time

static bool is_frozen(int process) { return world->machines[world->processes[process].machine].is_frozen; }

static bool comes_before(const struct event *one, const struct event *other) {
    return one->time != other->time ? one->time < other->time : one->order < other->order;
}

void schedule_event(uint64_t time, enum event_kind kind, int object, int value) {
    if (world->event_count == event_limit) fail("too many events");
    struct event event = {time, world->orders++, kind, object, value, world->generations[object]};
    int at = world->event_count++;
    while (at > 0 && comes_before(&event, &world->events[(at - 1) / 2])) {
        world->events[at] = world->events[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    world->events[at] = event;
}

static struct event take_event(void) {
    struct event first = world->events[0];
    struct event moved = world->events[--world->event_count];
    int at = 0;
    for (;;) {
        int child = 2 * at + 1;
        if (child >= world->event_count) break;
        if (child + 1 < world->event_count && comes_before(&world->events[child + 1], &world->events[child])) child++;
        if (!comes_before(&world->events[child], &moved)) break;
        world->events[at] = world->events[child];
        at = child;
    }
    world->events[at] = moved;
    return first;
}

// All that is due now.
static void look_at_clock(void) {
    while (world->event_count && world->events[0].time <= world->now) {
        struct event event = take_event();
        // Of an object that was there before.
        if (world->generations[event.object] == event.generation) happen(&event);
    }
    for (int number = 0; number < world->thread_count; number++) {
        struct thread *thread = &world->threads[number];
        if (thread->state != thread_waiting || thread->deadline > world->now || is_frozen(thread->process)) continue;
        thread->is_late = true;
        make_ready(number);
    }
}

// When something is due next.
static uint64_t next_time(void) {
    uint64_t next = world->event_count ? world->events[0].time : NEVER;
    for (int number = 0; number < world->thread_count; number++) {
        struct thread *thread = &world->threads[number];
        if (thread->state == thread_waiting && thread->deadline < next && !is_frozen(thread->process))
            next = thread->deadline;
    }
    return next;
}

// MARK: turns

static int pick(void) {
    for (;;) {
        look_at_clock();
        int running = 0;
        for (int at = 0; at < world->ready_count; at++) running += !is_frozen(world->threads[world->ready[at]].process);
        if (running) {
            int skip = (int)draw_below((uint64_t)running);
            for (int at = 0;; at++) {
                int number = world->ready[at];
                if (is_frozen(world->threads[number].process) || skip-- > 0) continue;
                world->ready[at] = world->ready[--world->ready_count];
                return number;
            }
        }
        uint64_t next = next_time();
        if (next == NEVER) fail("all wait, for nothing that will come");
        if (next > world->now) world->now = next;
    }
}

void wait_turn(int number) {
    uint32_t *turn = &world->threads[number].turn;
    while (!__atomic_load_n(turn, __ATOMIC_ACQUIRE)) raw_futex(turn, FUTEX_WAIT, 0);
    __atomic_store_n(turn, 0, __ATOMIC_RELAXED);
    world->running = number;
}

static void give_turn(int number) {
    uint32_t *turn = &world->threads[number].turn;
    __atomic_store_n(turn, 1, __ATOMIC_RELEASE);
    raw_futex(turn, FUTEX_WAKE, 1);
}

static int next_thread(void) {
    world->now += turn_time;
    world->steps++;
    int next = pick();
    note(world->now ^ ((uint64_t)next << 48));
    if (world->is_traced)
        dprintf(2, "turn %llu %llu %d %s\n", (unsigned long long)world->steps, (unsigned long long)world->now, next,
            world->processes[world->threads[next].process].name);
    return next;
}

static void turn_over(void) {
    int own = this_thread;
    int next = next_thread();
    if (next != own) {
        give_turn(next);
        wait_turn(own);
    }
    if (world->processes[this_process].signals) run_signals();
}

bool wait_for(uint64_t key, uint64_t deadline) {
    struct thread *thread = &world->threads[this_thread];
    thread->key = key;
    thread->deadline = deadline;
    thread->is_late = false;
    thread->state = thread_waiting;
    turn_over();
    return !thread->is_late;
}

void give_way(void) {
    world->threads[this_thread].state = thread_ready;
    world->ready[world->ready_count++] = this_thread;
    turn_over();
}

// Now and then: so that what was woken may run before the one that woke it goes on.
void maybe_give_way(void) {
    if (draw_below(8) == 0) give_way();
}

void leave_turn(void) { give_turn(next_thread()); }
