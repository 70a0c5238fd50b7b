// What a driver asks of the world that its process runs in. All times are nanoseconds of that world.
#ifndef WAYMARK_MACHINE_H
#define WAYMARK_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

// A machine is known by the last number of its address: 127.0.7.N. The driver's is 1.
enum { machine_count = 32 };

// How the network between two machines treats what one sends to the other.
enum machine_link {
    machine_link_good,
    // All waits until the link is good again: what TCP makes of a partition.
    machine_link_stalled,
    // Connections are reset, and refused.
    machine_link_cut,
};

// Begins a world of this process, which is its driver, in a file that is made and that all its processes map. Called
// before any thread is made. Answers 0, or errno: ENOSYS where libSimulatedMachine.so is not before its libraries.
int machine_begin(const char *path, uint64_t seed);
uint64_t machine_now(void);
// A number over all that happened so far, in order: the same for the same seed.
uint64_t machine_hash(void);
// Switches of threads so far.
uint64_t machine_steps(void);
void machine_set_link(int from, int to, enum machine_link link);
// All processes of a machine are gone at once. With `loses_writes` so is, of what they wrote and did not sync, what
// chance takes: as with a machine that lost its power.
void machine_crash(int machine, bool loses_writes);
// Processes of a machine do not run until it goes on.
void machine_freeze(int machine, bool is_frozen);
// Moves the clock of day of a machine, and what it gains per second, in millionths.
void machine_set_clock(int machine, int64_t offset, int64_t drift);
// Of syncs of files on a machine one in so many fails; 0: none.
void machine_set_failing_syncs(int machine, uint32_t one_in);
// Bytes that can still be written on a machine; UINT64_MAX: no end.
void machine_set_room(int machine, uint64_t bytes);
// Runs what belongs to the main thread of this process, and never ends: instead of main.
void machine_run_main(void);

// Lets the addresses of memory be the same each time in all that this process starts. False where the system forbids
// it.
bool machine_keep_addresses(void);

#endif
