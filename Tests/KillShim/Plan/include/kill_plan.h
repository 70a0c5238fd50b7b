// A plan of one kill, in a file that the test and all services map: which service is to die, and at which moment.
#ifndef WAYMARK_KILL_PLAN_H
#define WAYMARK_KILL_PLAN_H

#include <stdbool.h>
#include <stdint.h>

// What a service does that a plan can wait for.
enum kill_event {
    // The commit of a transaction in which a statement ran whose text contains the plan's text.
    KILL_AT_COMMIT = 1,
    // The move of a file to a path that contains the text.
    KILL_AT_RENAME = 2,
    // The removal of a file whose path contains the text.
    KILL_AT_UNLINK = 3,
    // The sending of bytes that contain the text on a socket.
    KILL_AT_SEND = 4,
};

enum kill_state {
    // Nothing is planned.
    KILL_IDLE = 0,
    // The services look for the moment.
    KILL_ARMED = 1,
    // A service has found it, and has killed itself.
    KILL_FIRED = 2,
};

// One kill. Texts end with a zero byte.
struct kill_moment {
    // Name of the program: "pin-service".
    char service[32];
    // What the event has to contain.
    char text[88];
    // One of `kill_event`.
    uint32_t event;
    // Which of the events that fit is meant, from 1 on.
    uint32_t nth;
    // Whether the service dies when the event is over, and not just before it.
    bool is_after;
};

struct kill_plan;

// Maps the plan in a file, which is made when it is not there; null when that fails.
struct kill_plan *kill_plan_open(const char *path);

// Unmaps a plan.
void kill_plan_close(struct kill_plan *plan);

// Plans a kill in place of the one before. False when that one has happened already; then it has to be acknowledged by
// `kill_plan_disarm` first.
bool kill_plan_arm(struct kill_plan *plan, const struct kill_moment *moment);

// Cancels the plan. Returns whether a service had reached its moment before.
bool kill_plan_disarm(struct kill_plan *plan);

// One of `kill_state`.
uint32_t kill_plan_state(const struct kill_plan *plan);

// The process that has killed itself; 0 when none has.
int32_t kill_plan_victim(const struct kill_plan *plan);

// How many events were counted since the plan was armed last.
uint32_t kill_plan_seen(const struct kill_plan *plan);

// For the services.

// The moment, while one is planned for that service; null otherwise. Valid until the plan is armed again.
const struct kill_moment *kill_plan_moment(const struct kill_plan *plan, const char *service);

// Counts one event that fits. True when it is the one that is meant.
bool kill_plan_count(struct kill_plan *plan);

// Whether this caller, and no other one, is the one to die.
bool kill_plan_claim(struct kill_plan *plan, int32_t process);

#endif
