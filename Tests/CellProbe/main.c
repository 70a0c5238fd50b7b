// Enters the cell of a decoder, then tries the one thing that its argument names. Ends with 0 when that worked, and
// with the number of the error when it did not; what is killed over it does not end like that.
#include "cell.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static int result(int value) { return value < 0 ? errno : 0; }

static void *nothing(void *given) { return given; }

static int compute(void) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL) != 0) return 1;
    pthread_join(thread, NULL);
    char *bytes = malloc(32 << 20);
    if (!bytes) return 2;
    memset(bytes, 1, 32 << 20);
    return write(STDOUT_FILENO, bytes, 1) == 1 ? 0 : 3;
}

static int allocate(void) {
    for (int i = 0; i < 1024; i++)
        if (mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) return errno;
    return 0;
}

static int try(const char *what) {
    if (strcmp(what, "compute") == 0) return compute();
    if (strcmp(what, "open") == 0) return result(open("/etc/passwd", O_RDONLY));
    if (strcmp(what, "memory") == 0) return allocate();
    if (strcmp(what, "socket") == 0) return result(socket(AF_INET, SOCK_STREAM, 0));
    if (strcmp(what, "connect") == 0) return result(connect(0, NULL, 0));
    if (strcmp(what, "fork") == 0) return result(fork());
    if (strcmp(what, "exec") == 0) return result(execl("/bin/true", "true", NULL));
    if (strcmp(what, "kill") == 0) return result(kill(getppid(), 0));
    if (strcmp(what, "trace") == 0) return result((int)ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    if (strcmp(what, "code") == 0)
        return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? errno : 0;
    if (strcmp(what, "limit") == 0) return result(setrlimit(RLIMIT_CPU, &(struct rlimit){1, 1}));
    if (strcmp(what, "spin") == 0)
        for (volatile int i = 0;; i = i + 1) {}
    return 99;
}

int main(int count, char **words) {
    if (count != 2) return 98;
    if (waymark_enter_cell(waymark_mapped_bytes() + (64 << 20), 1) != 0) return 97;
    return try(words[1]);
}
