// What the driver does to the world (machine.h).
#include "world.h"


uint64_t world_now(void) { return world ? world->now : 0; }
uint64_t world_hash(void) { return world ? world->hash : 0; }
uint64_t world_steps(void) { return world ? world->steps : 0; }

void world_set_link(int from, int to, enum machine_link link) {
    if (!world || from < 0 || to < 0 || from >= machine_count || to >= machine_count) return;
    world->links[from][to] = link;
    if (link == machine_link_cut) cut_link(from, to);
    else if (link == machine_link_good) retry_link(from, to);
}

void world_crash(int machine, bool loses_writes) {
    if (!world) return;
    for (int at = 0; at < world->process_count; at++)
        if (world->processes[at].is_alive && world->processes[at].machine == machine) end_process(at, 9, false);
    if (loses_writes) forget_unsynced(machine);
}

void world_freeze(int machine, bool is_frozen) {
    if (world) world->machines[machine].is_frozen = is_frozen;
}

void world_set_clock(int machine, int64_t offset, int64_t drift) {
    if (!world) return;
    world->machines[machine].clock_offset = offset;
    world->machines[machine].clock_drift = drift;
}

void world_set_failing_syncs(int machine, uint32_t one_in) {
    if (world) world->machines[machine].failing_syncs = one_in;
}

void world_set_room(int machine, uint64_t bytes) {
    if (world) world->machines[machine].room = bytes;
}

