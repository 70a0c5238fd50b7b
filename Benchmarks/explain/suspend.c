// Put before the gateway's libraries under valgrind 3.19, which writes to the signal mask that is waited with: that of
// libdispatch is in memory that can't be written.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask) {
    sigset_t copy = *mask;
    return (int)syscall(SYS_rt_sigsuspend, &copy, _NSIG / 8);
}
