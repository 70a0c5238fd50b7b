// The world that all processes of a simulation share: a file that each of them has mapped at the same place.
//
// One thread runs at a time: the one that has the turn. Only it changes what is here, so that nothing needs a lock, and
// all that happens has one order, which chance draws from the seed.
#ifndef WAYMARK_WORLD_H
#define WAYMARK_WORLD_H

#define _GNU_SOURCE
#include "machine.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>

#define NEVER UINT64_MAX
#define SECOND UINT64_C(1000000000)

enum {
    thread_limit = 1024,
    process_limit = 512,
    object_limit = 8192,
    watch_limit = 16384,
    event_limit = 65536,
    segment_limit = 32768,
    segment_bytes = 4096,
    undo_limit = 65536,
    name_limit = 4096,
    page_bytes = 4096,
};

enum thread_state { thread_free, thread_ready, thread_waiting };

struct thread {
    enum thread_state state;
    int process;
    // The word that it sleeps on: 1 when it has the turn.
    uint32_t turn;
    // What it waits for: an address in its process, or an object; and until when.
    uint64_t key;
    uint64_t deadline;
    bool is_late;
};

struct process {
    bool is_used, is_alive, is_reaped;
    int machine;
    int real_pid;
    int parent;
    int status;
    uint64_t chance;
    // Signals that wait for it.
    uint32_t signals;
    void (*handlers[32])(int);
    char name[32];
};

struct machine {
    bool is_frozen;
    int64_t clock_offset, clock_drift;
    uint32_t failing_syncs;
    uint64_t room;
};

enum object_kind {
    object_free, object_event, object_epoll, object_listener, object_stream, object_timer, object_silent
};

enum stream_state { stream_new, stream_connecting, stream_open, stream_refused, stream_reset };

struct object {
    enum object_kind kind;
    int process, machine;
    int copies;
    bool is_blocking;
    // An event's counter.
    uint64_t count;
    // A timer's next moment, what is between two, and how often it was set.
    uint64_t expires, interval;
    int settings;
    // Of streams and listeners: machine and port of both ends.
    int local_machine, local_port, peer_machine, peer_port;
    // The other end of a stream, or -1.
    int peer;
    enum stream_state state;
    int error;
    bool has_ended, ends_reading;
    // What has arrived, and what is on its way to here.
    int first, last;
    uint32_t unread, on_way;
    uint64_t last_arrival;
    // Connections that wait to be accepted: a ring of objects.
    int backlog[128];
    int backlog_first, backlog_count;
    // How often it has become readable, or writable: for those who ask for edges.
    uint32_t reads, writes;
    // Those who watch it, or what it watches (an epoll).
    int watchers, watched;
};

struct watch {
    bool is_used;
    int epoll, object, descriptor;
    uint32_t events;
    uint64_t tag;
    uint32_t seen_reads, seen_writes;
    bool is_off;
    int next_of_object, next_of_epoll;
};

struct segment {
    int next;
    uint32_t start, count;
    bool has_arrived, is_end;
    char bytes[segment_bytes];
};

enum event_kind { event_arrive, event_connect, event_connected, event_reset, event_room, event_timer };

struct event {
    uint64_t time, order;
    enum event_kind kind;
    int object, value;
    uint32_t generation;
};

// What a file had before a write that was not synced.
struct undo {
    bool is_length;
    int machine;
    uint64_t device, inode;
    uint64_t offset, length;
    char path[200];
    char bytes[page_bytes];
};

// What happened to a name since its folder was last synced.
enum name_change_kind { name_made, name_moved, name_removed };

struct name_change {
    enum name_change_kind kind;
    int machine;
    // Of what was there before, kept under another name; 0 without.
    uint64_t kept;
    char path[200], from[200];
};

struct world {
    // Its file.
    char path[200];
    uint64_t now, seed, chance, hash, steps, orders;
    int driver;
    // Says each turn, for one who looks for what is not the same in two runs.
    bool is_traced;
    int running;
    int thread_count, process_count, object_count;
    struct thread threads[thread_limit];
    int ready[thread_limit], ready_count;
    struct process processes[process_limit];
    struct machine machines[machine_count];
    enum machine_link links[machine_count][machine_count];
    struct object objects[object_limit];
    uint32_t generations[object_limit];
    struct watch watches[watch_limit];
    int free_watch;
    struct event events[event_limit];
    int event_count;
    struct segment segments[segment_limit];
    int free_segment;
    int next_port;
    // What can be put back, the oldest first: each number is of one of `undos`; the others are free.
    int undo_count;
    int undo_order[undo_limit];
    int free_undo_count;
    int free_undos[undo_limit];
    struct undo undos[undo_limit];
    // The oldest first.
    int name_count;
    struct name_change names[name_limit];
    uint64_t kept_count;
};

// The next definition of a name behind this library's, looked up once.
#define NEXT(name) \
    ({ \
        static void *found; \
        if (!found) found = dlsym(RTLD_NEXT, name); \
        found; \
    })

extern struct world *world;
extern int this_process;
extern _Thread_local int this_thread;

#define in_world() (world && this_thread >= 0)

// scheduler.c
uint64_t draw(uint64_t *chance);
uint64_t draw_below(uint64_t limit);
void note(uint64_t value);
int add_thread(int process);
void end_thread(int thread);
// Gives the turn away until `key` is woken or the deadline comes. True when it was woken.
bool wait_for(uint64_t key, uint64_t deadline);
// Lets others run, and stays ready.
void give_way(void);
void maybe_give_way(void);
// Wakes up to `most` threads of a process that wait for a key.
int wake(int process, uint64_t key, int most);
void make_ready(int thread);
// Of a thread that was made in this process: waits until it is its turn.
void wait_turn(int thread);
// Gives the turn to another thread, and does not come back to it.
void leave_turn(void);
uint64_t key_of_object(int object);
_Noreturn void fail(const char *what);

// objects.c
int new_object(enum object_kind kind);
// One of its descriptors is closed.
void release(int object);
bool can_read(int object);
bool can_write(int object);
bool is_broken(int object);

// segments.c
// How long something takes from one machine to another.
uint64_t way(int from, int to);
bool is_stalled(const struct object *object);
bool has_room(const struct object *peer);
size_t send_bytes(int object, const char *bytes, size_t count);
void send_end(int object);
void arrive(int object);
ssize_t take_bytes(int object, char *bytes, size_t count, bool stays);
void free_segments(struct object *object);

// network.c
void happen(struct event *event);
void schedule_event(uint64_t time, enum event_kind kind, int object, int value);
void retry_link(int from, int to);
void cut_link(int from, int to);

// watches.c
// It became readable, or writable: who watches it looks again.
void changed_edge(int object, bool reads, bool writes);
void forget_watches(int object);

// descriptors.c
int object_of(int descriptor);
int give_descriptor(int object, bool closes_on_exec);
void forget_descriptor(int descriptor);

// processes.c
void end_process(int process, int status, bool loses_writes);
void run_signals(void);

// disk.c
bool ends_with(const char *text, const char *end);
void forget_unsynced(int machine);
// A file has another name now.
void follow_name(const char *from, const char *to);

// names.c
void note_made(const char *path);
// What happened to the names in a folder, or to that of a file that was made, is on the disk.
void sync_names(const char *path, bool is_folder, int machine);
void forget_names(int machine);

#endif
