// What jemalloc reads at start (its manual, "TUNING"). Few arenas, since a thread keeps what it freed lately at hand
// anyway, in pieces of up to 64 KiB; and a thread that gives freed pages back to the system after some seconds, also
// when nothing is done then.
#include "heap.h"

const char *malloc_conf = "lg_tcache_max:16,narenas:4,background_thread:true,max_background_threads:1";
