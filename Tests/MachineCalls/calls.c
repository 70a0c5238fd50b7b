// Calls the library that stands before a process's others (LD_PRELOAD), if it is there.
#define _GNU_SOURCE
#include "machine.h"

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

static void *find(const char *name) { return dlsym(RTLD_DEFAULT, name); }

#define CALL(result, name, parameters, arguments, otherwise) \
    result machine_##name parameters { \
        result(*call) parameters = (result(*) parameters)find("world_" #name); \
        if (call) return call arguments; \
        otherwise; \
    }

CALL(int, begin, (const char *path, uint64_t seed), (path, seed), return ENOSYS)
CALL(uint64_t, now, (void), (), return 0)
CALL(uint64_t, hash, (void), (), return 0)
CALL(uint64_t, steps, (void), (), return 0)
CALL(void, set_link, (int from, int to, enum machine_link link), (from, to, link), )
CALL(void, crash, (int machine, bool loses_writes), (machine, loses_writes), )
CALL(void, freeze, (int machine, bool is_frozen), (machine, is_frozen), )
CALL(void, set_clock, (int machine, int64_t offset, int64_t drift), (machine, offset, drift), )
CALL(void, set_failing_syncs, (int machine, uint32_t one_in), (machine, one_in), )
CALL(void, set_room, (int machine, uint64_t bytes), (machine, bytes), )
CALL(void, run_main, (void), (), abort())

#include <sys/personality.h>

bool machine_keep_addresses(void) { return personality(ADDR_NO_RANDOMIZE) >= 0; }
