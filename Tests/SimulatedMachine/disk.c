// What a disk does to files when its machine loses power, is full, or fails: it may forget what was not synced.
//
// Files are the system's own. Before a write its process notes here what the file had; a sync forgets the notes of
// that file; and a crash puts back what chance takes of the rest, page by page, the last writes of each first.
#include "world.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static struct machine *own_machine(void) { return &world->machines[world->processes[this_process].machine]; }

bool ends_with(const char *text, const char *end) {
    size_t all = strlen(text), count = strlen(end);
    return all >= count && strcmp(text + all - count, end) == 0;
}

static struct undo *new_undo(const char *path, const struct stat *facts) {
    if (!world->free_undo_count) fail("too much is not synced");
    int number = world->free_undos[--world->free_undo_count];
    world->undo_order[world->undo_count++] = number;
    struct undo *undo = &world->undos[number];
    undo->is_length = false;
    undo->machine = world->processes[this_process].machine;
    undo->device = facts->st_dev;
    undo->inode = facts->st_ino;
    undo->length = 0;
    strncpy(undo->path, path, sizeof undo->path - 1);
    return undo;
}

static void drop_last(void) { world->free_undos[world->free_undo_count++] = world->undo_order[--world->undo_count]; }

// Keeps those for which `stays` says so.
static void sift(bool (*stays)(const struct undo *, const void *), const void *what) {
    int kept = 0;
    for (int at = 0; at < world->undo_count; at++) {
        int number = world->undo_order[at];
        if (stays(&world->undos[number], what)) world->undo_order[kept++] = number;
        else world->free_undos[world->free_undo_count++] = number;
    }
    world->undo_count = kept;
}

static bool find_path(int descriptor, char *path, size_t size) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, path, size - 1);
    if (count <= 0) return false;
    path[count] = 0;
    return true;
}

static bool is_kept(int descriptor, struct stat *facts, char *path, size_t size) {
    if (fstat(descriptor, facts) || !S_ISREG(facts->st_mode) || !find_path(descriptor, path, size)) return false;
    // What other processes of the machine share, and what starts anew after a crash.
    return !ends_with(path, "-shm") && !ends_with(path, ".log") && !ends_with(path, " (deleted)");
}

// Notes what the file has where `count` bytes are to be written; false when there is no room for them.
static bool note_write(int descriptor, uint64_t offset, size_t count) {
    struct stat facts;
    char path[200];
    if (!is_kept(descriptor, &facts, path, sizeof path)) return true;
    uint64_t length = (uint64_t)facts.st_size, end = offset + count;
    if (end > length) {
        struct machine *machine = own_machine();
        if (machine->room != UINT64_MAX) {
            if (machine->room < end - length) return false;
            machine->room -= end - length;
        }
        struct undo *undo = new_undo(path, &facts);
        undo->is_length = true;
        undo->offset = length;
    }
    for (uint64_t at = offset; at < end && at < length;) {
        uint64_t next = (at / page_bytes + 1) * page_bytes;
        if (next > end) next = end;
        if (next > length) next = length;
        struct undo *undo = new_undo(path, &facts);
        undo->offset = at;
        undo->length = next - at;
        if (syscall(SYS_pread64, descriptor, undo->bytes, undo->length, undo->offset) != (long)undo->length) {
            // It can't be read: what was there is not known, and stays.
            int copy = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
            long result = copy < 0 ? -1 : syscall(SYS_pread64, copy, undo->bytes, undo->length, undo->offset);
            if (copy >= 0) syscall(SYS_close, copy);
            if (result != (long)undo->length) drop_last();
        }
        at = next;
    }
    return true;
}

// Files are as old as the world says.
static void set_time(int descriptor) {
    struct timespec times[2];
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[1] = times[0];
    syscall(SYS_utimensat, descriptor, NULL, times, 0);
}

ssize_t write_file(int descriptor, const void *bytes, size_t count) {
    off_t offset = (off_t)syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
    if (offset < 0) return syscall(SYS_write, descriptor, bytes, count);
    if (!note_write(descriptor, (uint64_t)offset, count)) return errno = ENOSPC, -1;
    ssize_t result = syscall(SYS_write, descriptor, bytes, count);
    set_time(descriptor);
    return result;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    if (in_world() && !note_write(descriptor, (uint64_t)offset, count)) return errno = ENOSPC, -1;
    ssize_t result = syscall(SYS_pwrite64, descriptor, bytes, count, offset);
    if (in_world()) set_time(descriptor);
    return result;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite(descriptor, bytes, count, offset);
}

int ftruncate(int descriptor, off_t length) {
    struct stat facts;
    char path[200];
    if (in_world() && is_kept(descriptor, &facts, path, sizeof path)) {
        if (length < facts.st_size) {
            note_write(descriptor, (uint64_t)length, (size_t)(facts.st_size - length));
        }
        struct undo *undo = new_undo(path, &facts);
        undo->is_length = true;
        undo->offset = (uint64_t)facts.st_size;
    }
    return (int)syscall(SYS_ftruncate, descriptor, length);
}

int ftruncate64(int descriptor, off_t length) { return ftruncate(descriptor, length); }

static bool is_of_other_file(const struct undo *undo, const void *facts) {
    const struct stat *file = facts;
    return undo->device != file->st_dev || undo->inode != file->st_ino;
}

static int synced(int descriptor, int call) {
    if (!in_world()) return (int)syscall(call, descriptor);
    struct stat facts;
    char path[200];
    bool is_folder =
        fstat(descriptor, &facts) == 0 && S_ISDIR(facts.st_mode) && find_path(descriptor, path, sizeof path);
    if (!is_folder && !is_kept(descriptor, &facts, path, sizeof path)) return 0;
    wait_for(0, world->now + 30000 + draw_below(1000000));
    struct machine *machine = own_machine();
    if (machine->failing_syncs && draw_below(machine->failing_syncs) == 0) return errno = EIO, -1;
    if (!is_folder) sift(is_of_other_file, &facts);
    sync_names(path, is_folder, world->processes[this_process].machine);
    return 0;
}

int fsync(int descriptor) { return synced(descriptor, SYS_fsync); }
int fdatasync(int descriptor) { return synced(descriptor, SYS_fdatasync); }

// MARK: new files

static int opened(int folder, const char *path, int flags, mode_t mode) {
    bool is_new = in_world() && (flags & O_CREAT) && syscall(SYS_faccessat, folder, path, F_OK);
    int descriptor = (int)syscall(SYS_openat, folder, path, flags, mode);
    if (is_new && descriptor >= 0) {
        set_time(descriptor);
        if (folder == AT_FDCWD) note_made(path);
    }
    return descriptor;
}

static mode_t mode_of(int flags, va_list *list) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(*list, mode_t) : 0;
}

#define OPEN(name, folder, parameters) \
    int name parameters { \
        va_list list; \
        va_start(list, flags); \
        mode_t mode = mode_of(flags, &list); \
        va_end(list); \
        return opened(folder, path, flags, mode); \
    }

OPEN(open, AT_FDCWD, (const char *path, int flags, ...))
OPEN(open64, AT_FDCWD, (const char *path, int flags, ...))
OPEN(openat, folder, (int folder, const char *path, int flags, ...))
OPEN(openat64, folder, (int folder, const char *path, int flags, ...))

// MARK: after a crash

static bool is_same_page(const struct undo *one, const struct undo *other) {
    return one->inode == other->inode && one->device == other->device && one->is_length == other->is_length
        && (one->is_length || one->offset / page_bytes == other->offset / page_bytes);
}

static void put_back(const struct undo *undo) {
    int file = (int)syscall(SYS_openat, AT_FDCWD, undo->path, O_WRONLY | O_CLOEXEC, 0);
    if (file < 0) return;
    struct stat facts;
    if (fstat(file, &facts) == 0 && facts.st_ino == undo->inode && facts.st_dev == undo->device) {
        if (undo->is_length) syscall(SYS_ftruncate, file, undo->offset);
        else syscall(SYS_pwrite64, file, undo->bytes, undo->length, undo->offset);
    }
    syscall(SYS_close, file);
}

void follow_name(const char *from, const char *to) {
    for (int at = 0; at < world->undo_count; at++) {
        struct undo *undo = &world->undos[world->undo_order[at]];
        if (strcmp(undo->path, from) == 0) strncpy(undo->path, to, sizeof undo->path - 1);
    }
}

static bool is_of_other_machine(const struct undo *undo, const void *machine) {
    return undo->machine != *(const int *)machine;
}

void forget_unsynced(int machine) {
    forget_names(machine);
    // Pages that reached the disk as they are.
    static struct undo *settled[4096];
    int settled_count = 0;
    for (int at = world->undo_count - 1; at >= 0; at--) {
        struct undo *undo = &world->undos[world->undo_order[at]];
        if (undo->machine != machine) continue;
        bool is_settled = false;
        for (int known = 0; known < settled_count; known++) is_settled |= is_same_page(settled[known], undo);
        if (is_settled) continue;
        if (draw_below(2) == 0) put_back(undo);
        else if (settled_count < 4096) settled[settled_count++] = undo;
    }
    sift(is_of_other_machine, &machine);
}
