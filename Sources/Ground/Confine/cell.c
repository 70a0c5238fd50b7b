#define _GNU_SOURCE
#include "cell.h"
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

size_t waymark_mapped_bytes(void) {
    FILE *file = fopen("/proc/self/statm", "re");
    unsigned long pages = 0;
    int found = file ? fscanf(file, "%lu", &pages) : 0;
    if (file) fclose(file);
    return found == 1 ? pages * (size_t)sysconf(_SC_PAGESIZE) : 0;
}

static int limit(int resource, rlim_t most) {
    struct rlimit limits = {most, most};
    return setrlimit(resource, &limits);
}

// Memory, threads, time, chance, and the descriptors that are open.
static const int allowed[] = {
    SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(close), SCMP_SYS(munmap), SCMP_SYS(mremap),
    SCMP_SYS(brk), SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(set_robust_list), SCMP_SYS(rseq),
    SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigaltstack),
    SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity),
    SCMP_SYS(clock_gettime), SCMP_SYS(clock_nanosleep), SCMP_SYS(gettimeofday), SCMP_SYS(getrandom), SCMP_SYS(getpid),
    SCMP_SYS(gettid), SCMP_SYS(exit), SCMP_SYS(exit_group),
};

// What libraries try and can do without.
static const int refused[] = {
    SCMP_SYS(open), SCMP_SYS(openat), SCMP_SYS(stat), SCMP_SYS(fstat), SCMP_SYS(newfstatat), SCMP_SYS(lseek),
    SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(ioctl), SCMP_SYS(uname),
    SCMP_SYS(sysinfo), SCMP_SYS(prlimit64), SCMP_SYS(get_mempolicy), SCMP_SYS(set_mempolicy),
};

static int add(scmp_filter_ctx filter, unsigned action, int call) {
    // One that this processor does not have needs no rule.
    int result = seccomp_rule_add(filter, action, call, 0);
    return result == -EDOM || result == -EINVAL ? 0 : result;
}

static int add_with(scmp_filter_ctx filter, int call, unsigned argument, scmp_datum_t mask, scmp_datum_t value) {
    struct scmp_arg_cmp compared = {argument, SCMP_CMP_MASKED_EQ, mask, value};
    return seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &compared);
}

static int fill(scmp_filter_ctx filter) {
    int result = 0;
    for (size_t i = 0; result == 0 && i < sizeof allowed / sizeof *allowed; i++)
        result = add(filter, SCMP_ACT_ALLOW, allowed[i]);
    for (size_t i = 0; result == 0 && i < sizeof refused / sizeof *refused; i++)
        result = add(filter, SCMP_ACT_ERRNO(EACCES), refused[i]);
    // No code that is not there yet.
    if (result == 0) result = add_with(filter, SCMP_SYS(mmap), 2, PROT_EXEC, 0);
    if (result == 0) result = add_with(filter, SCMP_SYS(mprotect), 2, PROT_EXEC, 0);
    // Threads, no processes. The other call has its flags in memory, where no filter sees them: the C library then
    // takes this one.
    if (result == 0) result = add_with(filter, SCMP_SYS(clone), 0, CLONE_THREAD | CLONE_VM, CLONE_THREAD | CLONE_VM);
    if (result == 0) result = add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3));
    // Names of threads.
    if (result == 0) result = add_with(filter, SCMP_SYS(prctl), 0, ~(scmp_datum_t)0, PR_SET_NAME);
    return result;
}

int waymark_enter_cell(size_t mapped_bytes, unsigned processor_seconds) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    if (limit(RLIMIT_AS, mapped_bytes) != 0 || limit(RLIMIT_CPU, processor_seconds) != 0) return -1;
    if (limit(RLIMIT_NOFILE, 0) != 0 || limit(RLIMIT_FSIZE, 0) != 0 || limit(RLIMIT_CORE, 0) != 0) return -1;
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    if (!filter) return -1;
    int result = fill(filter);
    if (result == 0) result = seccomp_load(filter);
    seccomp_release(filter);
    return result;
}
