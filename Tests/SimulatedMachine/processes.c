// Processes: how they come into the world, and leave it.
#include "world.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Where the world lies in each process.
static void *const place = (void *)UINT64_C(0x600000000000);
static char world_path[PATH_MAX];

void take_swift(void);

static bool map(const char *path, bool is_new) {
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC | (is_new ? O_CREAT | O_EXCL : 0), 0600);
    if (file < 0) return false;
    if (is_new && syscall(SYS_ftruncate, file, sizeof(struct world))) return false;
    void *found = mmap(place, sizeof(struct world), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);
    syscall(SYS_close, file);
    if (found == MAP_FAILED) return false;
    strncpy(world_path, path, sizeof world_path - 1);
    world = found;
    if (is_new) strncpy(world->path, path, sizeof world->path - 1);
    return true;
}

static int add_process(int machine, int parent, const char *name) {
    for (int number = 0; number < process_limit; number++) {
        struct process *process = &world->processes[number];
        if (process->is_used) continue;
        *process = (struct process){.is_used = true, .is_alive = true, .machine = machine, .parent = parent};
        process->chance = draw(&world->chance);
        strncpy(process->name, name, sizeof process->name - 1);
        if (number >= world->process_count) world->process_count = number + 1;
        return number;
    }
    fail("too many processes");
}

static void *watch_over(void *unused);

// Stays on a processor, with all that is started: a turn goes to another thread there in a few microseconds, and to one
// on a processor that sleeps in ten times that.
static void stay(void) {
    const char *number = getenv("WAYMARK_WORLD_PROCESSOR");
    if (!number) return;
    uint64_t set[16] = {0};
    int processor = atoi(number);
    if (processor < 0 || processor >= 1024) return;
    set[processor / 64] = UINT64_C(1) << (processor % 64);
    syscall(SYS_sched_setaffinity, 0, sizeof set, set);
}

int world_begin(const char *path, uint64_t seed) {
    if (!map(path, true)) return errno ? errno : EINVAL;
    stay();
    memset(world, 0, offsetof(struct world, threads));
    world->seed = world->chance = seed;
    world->now = SECOND;
    world->next_port = 20000;
    world->is_traced = getenv("WAYMARK_WORLD_TRACE") != NULL;
    for (int from = 0; from < machine_count; from++) world->machines[from].room = UINT64_MAX;
    for (int at = 0; at < watch_limit; at++) world->watches[at].next_of_object = at + 1 < watch_limit ? at + 1 : -1;
    for (int at = 0; at < segment_limit; at++) world->segments[at].next = at + 1 < segment_limit ? at + 1 : -1;
    world->free_undo_count = undo_limit;
    for (int at = 0; at < undo_limit; at++) world->free_undos[at] = undo_limit - 1 - at;
    for (int at = 0; at < object_limit; at++) {
        world->objects[at].watchers = world->objects[at].watched = -1;
    }
    this_process = world->driver = add_process(1, -1, program_invocation_short_name);
    world->processes[this_process].real_pid = (int)syscall(SYS_getpid);
    int thread = add_thread(this_process);
    pthread_t watcher;
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = NEXT("pthread_create");
    create(&watcher, NULL, watch_over, NULL);
    world->threads[thread].state = thread_ready;
    world->running = thread;
    this_thread = thread;
    take_swift();
    return 0;
}

__attribute__((constructor)) static void attach(void) {
    const char *path = getenv("WAYMARK_WORLD"), *number = getenv("WAYMARK_WORLD_PROCESS");
    const char *thread = getenv("WAYMARK_WORLD_THREAD");
    if (!path || !number || !thread) return;
    if (!map(path, false)) {
        dprintf(2, "simulated machine: %s can't be mapped\n", path);
        _exit(70);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    this_process = atoi(number);
    world->processes[this_process].real_pid = (int)syscall(SYS_getpid);
    wait_turn(atoi(thread));
    this_thread = atoi(thread);
    take_swift();
}

// MARK: made

static const char *find(char *const environment[], const char *name) {
    size_t count = strlen(name);
    for (char *const *at = environment; *at; at++)
        if (strncmp(*at, name, count) == 0 && (*at)[count] == '=') return *at + count + 1;
    return NULL;
}

int posix_spawn(
    pid_t *pid, const char *program, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
    char *const arguments[], char *const environment[]) {
    int (*next)(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[],
        char *const[]) = NEXT("posix_spawn");
    if (!in_world()) return next(pid, program, actions, attributes, arguments, environment);
    const char *name = strrchr(program, '/') ? strrchr(program, '/') + 1 : program;
    // What computes and does nothing else is not of the world: for it no time goes by.
    bool is_outside = strcmp(name, "picture-decoder") == 0 || find(environment, "WAYMARK_OUTSIDE");
    size_t count = 0;
    while (environment[count]) count++;
    char **given = malloc((count + 4) * sizeof *given);
    char texts[3][PATH_MAX + 32];
    size_t kept = 0;
    for (size_t at = 0; at < count; at++) {
        if (strncmp(environment[at], "WAYMARK_WORLD", 13) == 0) continue;
        if (is_outside && strncmp(environment[at], "LD_PRELOAD=", 11) == 0) continue;
        given[kept++] = environment[at];
    }
    int process = -1, thread = -1;
    if (!is_outside) {
        const char *machine = find(environment, "WAYMARK_MACHINE");
        process = add_process(
            machine ? atoi(machine) : world->processes[this_process].machine, this_process, name);
        thread = add_thread(process);
        snprintf(texts[0], sizeof texts[0], "WAYMARK_WORLD=%s", world_path);
        snprintf(texts[1], sizeof texts[1], "WAYMARK_WORLD_PROCESS=%d", process);
        snprintf(texts[2], sizeof texts[2], "WAYMARK_WORLD_THREAD=%d", thread);
        for (int at = 0; at < 3; at++) given[kept++] = texts[at];
    }
    given[kept] = NULL;
    pid_t made;
    int result = next(&made, program, actions, attributes, arguments, given);
    free(given);
    if (pid) *pid = made;
    if (process < 0) return result;
    if (result) {
        end_thread(thread);
        world->processes[process].is_used = false;
        return result;
    }
    world->processes[process].real_pid = made;
    make_ready(thread);
    return 0;
}

// MARK: gone

static void leave(int process, int status) {
    struct process *own = &world->processes[process];
    own->is_alive = false;
    own->status = status;
    for (int at = 0; at < world->thread_count; at++)
        if (world->threads[at].state != thread_free && world->threads[at].process == process) end_thread(at);
    for (int at = 0; at < world->object_count; at++) {
        struct object *object = &world->objects[at];
        if (object->kind == object_free || object->process != process) continue;
        object->copies = 1;
        release(at);
    }
    if (own->parent >= 0) wake(own->parent, (uint64_t)(UINT64_MAX / 4), INT_MAX);
    note(((uint64_t)process << 32) ^ (uint64_t)status);
}

void end_process(int process, int status, bool loses_writes) {
    struct process *own = &world->processes[process];
    if (!own->is_used || !own->is_alive) return;
    leave(process, status);
    syscall(SYS_kill, own->real_pid, SIGKILL);
    if (loses_writes) forget_unsynced(own->machine);
}

__attribute__((destructor)) static void exits(void) {
    if (!in_world()) return;
    int process = this_process;
    if (process == world->driver) return;
    this_thread = -1;
    // The status is asked for when it has ended.
    leave(process, -1);
    leave_turn();
}

void _exit(int status) {
    if (in_world() && this_process != world->driver) exits();
    for (;;) syscall(SYS_exit_group, status);
}

static int child(pid_t pid) {
    for (int at = 0; at < world->process_count; at++) {
        struct process *process = &world->processes[at];
        if (process->is_used && !process->is_reaped && process->parent == this_process
            && (pid == -1 || process->real_pid == pid))
            return at;
    }
    return -1;
}

pid_t waitpid(pid_t pid, int *status, int options) {
    if (!in_world() || (pid != -1 && child(pid) < 0))
        return (pid_t)syscall(SYS_wait4, pid, status, options, NULL);
    for (;;) {
        bool has_some = false;
        for (int at = 0; at < world->process_count; at++) {
            struct process *process = &world->processes[at];
            if (!process->is_used || process->is_reaped || process->parent != this_process) continue;
            if (pid != -1 && process->real_pid != pid) continue;
            has_some = true;
            if (process->is_alive) continue;
            int real = 0;
            pid_t result = (pid_t)syscall(SYS_wait4, process->real_pid, &real, 0, NULL);
            process->is_reaped = true;
            if (status) *status = process->status == -1 ? real : process->status;
            process->is_used = false;
            return result;
        }
        if (!has_some) return errno = ECHILD, -1;
        if (options & WNOHANG) return 0;
        wait_for(UINT64_MAX / 4, NEVER);
    }
}

// MARK: signals

typedef void (*handler)(int);

handler signal(int number, handler run) {
    handler (*next)(int, handler) = NEXT("signal");
    if (!in_world() || number >= 32 || (number != SIGTERM && number != SIGINT && number != SIGHUP))
        return next(number, run);
    handler before = world->processes[this_process].handlers[number];
    world->processes[this_process].handlers[number] = run;
    return before ? before : SIG_DFL;
}

void run_signals(void) {
    struct process *own = &world->processes[this_process];
    for (int number = 1; number < 32; number++) {
        if (!(own->signals & (1u << number))) continue;
        own->signals &= ~(1u << number);
        handler run = own->handlers[number];
        if (run == SIG_IGN) continue;
        if (run) run(number);
        else _exit(128 + number);
    }
}

int kill(pid_t pid, int number) {
    if (!in_world()) return (int)syscall(SYS_kill, pid, number);
    for (int at = 0; at < world->process_count; at++) {
        struct process *process = &world->processes[at];
        if (!process->is_used || !process->is_alive || process->real_pid != pid) continue;
        if (number == 0) return 0;
        if (number == SIGKILL) {
            end_process(at, SIGKILL, false);
            return 0;
        }
        if (number < 32) process->signals |= 1u << number;
        for (int thread = 0; thread < world->thread_count; thread++) {
            if (world->threads[thread].process != at || world->threads[thread].state != thread_waiting) continue;
            make_ready(thread);
            break;
        }
        return 0;
    }
    return (int)syscall(SYS_kill, pid, number);
}

// MARK: watched from outside

// A process that dies by itself has the turn: it is given to another one.
static void *watch_over(void *unused) {
    (void)unused;
    for (;;) {
        siginfo_t facts = {0};
        for (int at = 0; at < world->process_count; at++) {
            struct process *process = &world->processes[at];
            if (!process->is_used || !process->is_alive || at == world->driver || !process->real_pid) continue;
            if (syscall(SYS_waitid, P_PID, process->real_pid, &facts, WEXITED | WNOHANG | WNOWAIT, NULL)) continue;
            if (facts.si_pid != process->real_pid) continue;
            // Its last threads may have given the turn away.
            struct timespec pause = {0, 5000000};
            syscall(SYS_nanosleep, &pause, NULL);
            if (!process->is_alive || world->threads[world->running].process != at) continue;
            dprintf(2, "simulated machine: %s (process %d) ended by itself, %d/%d, at %.6f s\n", process->name, at,
                facts.si_code, facts.si_status, (double)world->now / 1e9);
            this_process = at;
            leave(at, facts.si_code == CLD_EXITED ? facts.si_status << 8 : facts.si_status);
            leave_turn();
            this_process = world->driver;
        }
        struct timespec pause = {0, 2000000};
        syscall(SYS_nanosleep, &pause, NULL);
    }
    return NULL;
}
