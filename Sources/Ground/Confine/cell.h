// The cell of a process that reads untrusted bytes and answers: it can compute and use the descriptors that it has, and
// nothing else.
#ifndef WAYMARK_CELL_H
#define WAYMARK_CELL_H
#include <stddef.h>

// Bytes that the process has mapped, programs and libraries included.
size_t waymark_mapped_bytes(void);

// From now on the process may map so many bytes, and use so many seconds of a processor; new threads, memory that runs
// no code, time and random numbers are allowed, opening anything fails, and any other system call ends it. To be called
// before it has threads. 0 when all of it holds.
int waymark_enter_cell(size_t mapped_bytes, unsigned processor_seconds);
#endif
