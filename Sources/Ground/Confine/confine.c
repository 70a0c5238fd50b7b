#define _GNU_SOURCE
#include "confine.h"
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int waymark_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

// Landlock has no functions in the C library (https://docs.kernel.org/userspace-api/landlock.html); the header of
// Debian 12 has fewer rights than kernels may know, so the structures are written here.

int waymark_landlock_version(void) {
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
}

int waymark_landlock_make(unsigned long long handled) {
    struct { unsigned long long handled_access_fs; } rules = {handled};
    return (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof rules, 0);
}

void waymark_landlock_allow(int rules, const char *path, unsigned long long access, unsigned long long of_files) {
    int parent = open(path, O_PATH | O_CLOEXEC);
    if (parent < 0) return;
    struct stat status;
    if (fstat(parent, &status) == 0) {
        struct __attribute__((packed)) { unsigned long long allowed; int parent; } beneath = {
            S_ISDIR(status.st_mode) ? access : access & of_files, parent};
        syscall(SYS_landlock_add_rule, rules, 1 /* LANDLOCK_RULE_PATH_BENEATH */, &beneath, 0);
    }
    close(parent);
}

int waymark_landlock_restrict(int rules) {
    int result = (int)syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
    return result;
}

static int deny(scmp_filter_ctx filter, const char *name) {
    int number = seccomp_syscall_resolve_name(name);
    // One that this processor does not have needs no rule.
    if (number == __NR_SCMP_ERROR) return 0;
    return seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), number, 0, NULL);
}

static int deny_families(scmp_filter_ctx filter) {
    for (int family = 0; family < 46; family++) {
        if (family == AF_UNIX || family == AF_INET || family == AF_INET6 || family == AF_NETLINK) continue;
        struct scmp_arg_cmp is_family = SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)family);
        int result = seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1, &is_family);
        if (result != 0) return result;
    }
    return 0;
}

int waymark_deny_system_calls(const char *names) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) return -1;
    int result = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
    char name[64];
    for (const char *at = names; result == 0 && *at;) {
        size_t length = strcspn(at, " ");
        if (length > 0 && length < sizeof name) {
            memcpy(name, at, length);
            name[length] = 0;
            result = deny(filter, name);
        }
        at += length + strspn(at + length, " ");
    }
    if (result == 0) result = deny_families(filter);
    if (result == 0) result = seccomp_load(filter);
    seccomp_release(filter);
    return result;
}
