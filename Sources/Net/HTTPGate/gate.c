// libmicrohttpd reads from sockets by recv(), which it looks up in the program before the C library: this one reads the
// same bytes, and asks the gate of the calling thread, if it has one, what libmicrohttpd gets of them. Likewise send(),
// which leaves a line out, and shutdown(), which spares a connection that goes on without libmicrohttpd.
#define _GNU_SOURCE
#include "gate.h"
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static __thread waymark_http_gate current;
static __thread void *current_owner;

void waymark_http_set_gate(waymark_http_gate gate, void *owner) {
    current = gate;
    current_owner = owner;
}

__attribute__((visibility("default"))) ssize_t recv(int socket, void *buffer, size_t size, int flags) {
    if (!current) return recvfrom(socket, buffer, size, flags, NULL, NULL);
    ssize_t count = recvfrom(socket, buffer, size, flags, NULL, NULL);
    int reason = errno;
    count = current(current_owner, socket, buffer, count);
    errno = reason;
    return count;
}

// Whether these bytes are the whole head of an answer 304, which has no body, and end with the length that
// libmicrohttpd says nevertheless: 0 would be the length of what has not changed (RFC 9110, 8.6).
static const char unmodified[] = "HTTP/1.1 304 ";
static const char no_length[] = "Content-Length: 0\r\n\r\n";

static int has_wrong_length(const char *bytes, size_t count) {
    size_t length = sizeof no_length - 1;
    return count > length + sizeof unmodified && memcmp(bytes, unmodified, sizeof unmodified - 1) == 0 &&
           memcmp(bytes + count - length, no_length, length) == 0;
}

__attribute__((visibility("default"))) ssize_t send(int socket, const void *bytes, size_t count, int flags) {
    if (!current || !has_wrong_length(bytes, count)) return sendto(socket, bytes, count, flags, NULL, 0);
    size_t kept = count - (sizeof no_length - 1);
    struct iovec parts[] = {{(void *)bytes, kept}, {"\r\n", 2}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    ssize_t sent = sendmsg(socket, &message, flags);
    // The caller sends what is left: of the end of the head, or of more than that with its wrong line.
    return sent < (ssize_t)kept ? sent : (ssize_t)(count - 2) + (sent - (ssize_t)kept);
}

static __thread int spared = -1;

void waymark_http_spare(int socket) { spared = socket; }

__attribute__((visibility("default"))) int shutdown(int socket, int how) {
    if (current && socket == spared) return 0;
    return (int)syscall(SYS_shutdown, socket, how);
}

int waymark_http_gate_holds(void) {
    return dlsym(RTLD_DEFAULT, "recv") == (void *)&recv && dlsym(RTLD_DEFAULT, "send") == (void *)&send &&
           dlsym(RTLD_DEFAULT, "shutdown") == (void *)&shutdown;
}
