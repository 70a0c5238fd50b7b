#include "kill_plan.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The moment is written only while the state is idle, and read only while it is armed.
struct kill_plan {
    _Atomic uint32_t state;
    _Atomic uint32_t seen;
    _Atomic int32_t victim;
    struct kill_moment moment;
};

struct kill_plan *kill_plan_open(const char *path) {
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return NULL;
    void *mapped = MAP_FAILED;
    if (ftruncate(file, sizeof(struct kill_plan)) == 0)
        mapped = mmap(NULL, sizeof(struct kill_plan), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return mapped == MAP_FAILED ? NULL : mapped;
}

void kill_plan_close(struct kill_plan *plan) { munmap(plan, sizeof *plan); }

bool kill_plan_arm(struct kill_plan *plan, const struct kill_moment *moment) {
    uint32_t armed = KILL_ARMED;
    atomic_compare_exchange_strong(&plan->state, &armed, KILL_IDLE);
    if (atomic_load(&plan->state) == KILL_FIRED) return false;
    atomic_store(&plan->seen, 0);
    atomic_store(&plan->victim, 0);
    memcpy(&plan->moment, moment, sizeof *moment);
    atomic_store(&plan->state, KILL_ARMED);
    return true;
}

bool kill_plan_disarm(struct kill_plan *plan) {
    return atomic_exchange(&plan->state, KILL_IDLE) == KILL_FIRED;
}

uint32_t kill_plan_state(const struct kill_plan *plan) { return atomic_load(&plan->state); }

int32_t kill_plan_victim(const struct kill_plan *plan) { return atomic_load(&plan->victim); }

uint32_t kill_plan_seen(const struct kill_plan *plan) { return atomic_load(&plan->seen); }

const struct kill_moment *kill_plan_moment(const struct kill_plan *plan, const char *service) {
    if (atomic_load_explicit(&plan->state, memory_order_acquire) != KILL_ARMED) return NULL;
    return strncmp(plan->moment.service, service, sizeof plan->moment.service) == 0 ? &plan->moment : NULL;
}

bool kill_plan_count(struct kill_plan *plan) {
    return atomic_fetch_add(&plan->seen, 1) + 1 == plan->moment.nth;
}

bool kill_plan_claim(struct kill_plan *plan, int32_t process) {
    uint32_t armed = KILL_ARMED;
    if (!atomic_compare_exchange_strong(&plan->state, &armed, KILL_FIRED)) return false;
    atomic_store(&plan->victim, process);
    return true;
}
