// Names of files that a disk may forget: what was made, renamed or removed since its folder was last synced.
//
// A journal of a file system has such changes in their order. So a power cut takes all after a moment that chance
// draws, the last one first; a sync of a folder brings all to the disk up to the last change in it; one of a file
// brings the name that it was made with. The bytes of a file that was removed or replaced stay until then under
// another name, beside the world.
#include "world.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool exists(const char *path) { return syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0; }

static void path_of_kept(char *path, size_t size, uint64_t number) {
    snprintf(path, size, "%s-kept-%llu", world->path, (unsigned long long)number);
}

// Files of folders of the world, but for what others of the machine share and what starts anew after a crash.
static bool is_noted(const char *path) {
    size_t count = strlen(path);
    if (!in_world() || path[0] != '/' || count >= sizeof world->names[0].path) return false;
    struct stat facts;
    bool is_there = syscall(SYS_newfstatat, AT_FDCWD, path, &facts, AT_SYMLINK_NOFOLLOW) == 0;
    if (is_there && !S_ISREG(facts.st_mode)) return false;
    return !ends_with(path, "-shm") && !ends_with(path, ".log");
}

// Gives another name to what is at a path; 0 when nothing is.
static uint64_t keep(const char *path) {
    char kept[sizeof world->path + 40];
    path_of_kept(kept, sizeof kept, ++world->kept_count);
    return syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, kept, 0) == 0 ? world->kept_count : 0;
}

static void drop_kept(const struct name_change *change) {
    char kept[sizeof world->path + 40];
    if (!change->kept) return;
    path_of_kept(kept, sizeof kept, change->kept);
    syscall(SYS_unlinkat, AT_FDCWD, kept, 0);
}

static void drop(int at) {
    drop_kept(&world->names[at]);
    world->name_count--;
    memmove(&world->names[at], &world->names[at + 1], (size_t)(world->name_count - at) * sizeof world->names[0]);
}

static void add_change(enum name_change_kind kind, const char *path, const char *from, uint64_t kept) {
    // The oldest one has reached the disk by now.
    if (world->name_count == name_limit) drop(0);
    struct name_change *change = &world->names[world->name_count++];
    *change = (struct name_change){.kind = kind, .machine = world->processes[this_process].machine, .kept = kept};
    snprintf(change->path, sizeof change->path, "%s", path);
    snprintf(change->from, sizeof change->from, "%s", from ? from : "");
}

void note_made(const char *path) {
    if (is_noted(path)) add_change(name_made, path, NULL, 0);
}

int rename(const char *from, const char *to) {
    bool notes = is_noted(from) && strlen(to) < sizeof world->names[0].path;
    uint64_t kept = notes ? keep(to) : 0;
    int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (!notes) return result;
    struct name_change change = {.kept = kept};
    if (result) return drop_kept(&change), result;
    add_change(name_moved, to, from, kept);
    follow_name(from, to);
    return 0;
}

static int removed(int folder, const char *path, int flags) {
    bool notes = folder == AT_FDCWD && !(flags & AT_REMOVEDIR) && is_noted(path);
    uint64_t kept = notes ? keep(path) : 0;
    int result = (int)syscall(SYS_unlinkat, folder, path, flags);
    if (!notes) return result;
    struct name_change change = {.kept = kept};
    if (result) return drop_kept(&change), result;
    add_change(name_removed, path, NULL, kept);
    return 0;
}

int unlink(const char *path) { return removed(AT_FDCWD, path, 0); }
int unlinkat(int folder, const char *path, int flags) { return removed(folder, path, flags); }

static bool is_in(const char *path, const char *folder) {
    size_t count = strlen(folder);
    return strncmp(path, folder, count) == 0 && path[count] == '/' && !strchr(path + count + 1, '/');
}

void sync_names(const char *path, bool is_folder, int machine) {
    int last = -1;
    for (int at = 0; at < world->name_count; at++) {
        struct name_change *change = &world->names[at];
        if (change->machine != machine) continue;
        bool is_own = change->kind == name_made && !strcmp(change->path, path);
        bool is_there = is_folder ? is_in(change->path, path) : is_own;
        if (is_there) last = at;
    }
    for (int at = last; at >= 0; at--) {
        if (world->names[at].machine == machine) drop(at);
    }
}

static void put_back(const struct name_change *change) {
    char kept[sizeof world->path + 40];
    path_of_kept(kept, sizeof kept, change->kept);
    switch (change->kind) {
    case name_made: syscall(SYS_unlinkat, AT_FDCWD, change->path, 0); break;
    case name_moved:
        syscall(SYS_renameat2, AT_FDCWD, change->path, AT_FDCWD, change->from, 0);
        follow_name(change->path, change->from);
        if (change->kept) syscall(SYS_renameat2, AT_FDCWD, kept, AT_FDCWD, change->path, 0);
        break;
    case name_removed:
        if (!exists(change->path)) syscall(SYS_renameat2, AT_FDCWD, kept, AT_FDCWD, change->path, 0);
        break;
    }
}

void forget_names(int machine) {
    int count = 0;
    for (int at = 0; at < world->name_count; at++) count += world->names[at].machine == machine;
    int lost = count ? (int)draw_below((uint64_t)count + 1) : 0;
    for (int at = world->name_count - 1; at >= 0; at--) {
        if (world->names[at].machine != machine) continue;
        if (lost-- > 0) put_back(&world->names[at]);
        drop(at);
    }
}
