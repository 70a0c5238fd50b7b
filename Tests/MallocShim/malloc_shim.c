// Counts what a program takes from the heap (LD_PRELOAD), in the first eight bytes of the file WAYMARK_MALLOC_COUNT,
// which the parent process reads. Everything is passed on to the heap that the program has without this.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic(uint64_t) *counter;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("WAYMARK_MALLOC_COUNT");
    if (!path) return;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void *mapping = mmap(NULL, sizeof *counter, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (mapping != MAP_FAILED) counter = mapping;
}

static void count(void) {
    if (counter) atomic_fetch_add_explicit(counter, 1, memory_order_relaxed);
}

// The next `function` that is found behind this library.
#define NEXT(function) \
    ({ \
        static __typeof__(function) *next; \
        if (!next) next = (__typeof__(function) *)dlsym(RTLD_NEXT, #function); \
        next; \
    })

void *malloc(size_t size) {
    count();
    return NEXT(malloc)(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return NEXT(calloc)(number, size);
}

void *realloc(void *memory, size_t size) {
    count();
    return NEXT(realloc)(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return NEXT(aligned_alloc)(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    count();
    return NEXT(posix_memalign)(memory, alignment, size);
}
