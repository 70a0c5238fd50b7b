#define _GNU_SOURCE
#include "forks.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// More at a time are refused: their socket is closed.
#define CHILDREN 64

union control_room {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
};

int waymark_send_socket(int control, int socket, unsigned char purpose) {
    union control_room room;
    memset(&room, 0, sizeof room);
    struct iovec part = {&purpose, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof socket);
    memcpy(CMSG_DATA(header), &socket, sizeof socket);
    ssize_t sent;
    do sent = sendmsg(control, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent == 1 ? 0 : -1;
}

// -1 at the end; -2 when nothing usable came.
static int receive(int control, unsigned char *purpose) {
    union control_room room;
    struct iovec part = {purpose, 1};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = room.bytes, .msg_controllen = sizeof room.bytes};
    ssize_t got = recvmsg(control, &message, MSG_CMSG_CLOEXEC);
    if (got == 0 || (got < 0 && errno != EINTR)) return -1;
    struct cmsghdr *header = got < 0 ? NULL : CMSG_FIRSTHDR(&message);
    if (!header || header->cmsg_type != SCM_RIGHTS) return -2;
    int socket;
    memcpy(&socket, CMSG_DATA(header), sizeof socket);
    return socket;
}

struct child {
    pid_t pid;
    time_t start;
};

static time_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

// A number is not given to another process before its end was waited for: only our own are killed. Returns how many
// there are.
static int look_after(struct child *children, unsigned seconds) {
    int count = 0;
    for (int i = 0; i < CHILDREN; i++) {
        if (!children[i].pid) continue;
        if (waitpid(children[i].pid, NULL, WNOHANG) != 0) {
            children[i].pid = 0;
            continue;
        }
        count++;
        if (now() - children[i].start > (time_t)seconds) kill(children[i].pid, SIGKILL);
    }
    return count;
}

static struct child *free_place(struct child *children) {
    for (int i = 0; i < CHILDREN; i++)
        if (!children[i].pid) return &children[i];
    return NULL;
}

int waymark_serve_forks(int control, unsigned seconds, unsigned char *purpose) {
    struct child children[CHILDREN] = {0};
    for (;;) {
        struct pollfd wanted = {control, POLLIN, 0};
        int is_idle = look_after(children, seconds) == 0;
        if (poll(&wanted, 1, is_idle ? -1 : 1000) <= 0) continue;
        int socket = receive(control, purpose);
        if (socket == -1) return -1;
        if (socket < 0) continue;
        struct child *place = free_place(children);
        pid_t parent = getpid(), pid = place ? fork() : -1;
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
            // The parent may have ended before that.
            if (getppid() != parent) _exit(0);
            close(control);
            return socket;
        }
        close(socket);
        if (pid > 0) *place = (struct child){pid, now()};
    }
}
