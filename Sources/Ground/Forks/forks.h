// A process that starts others like itself for a process that may not start any: this one sends a socket for each, and
// has the new process at its other end.
#ifndef WAYMARK_FORKS_H
#define WAYMARK_FORKS_H

// Sends a socket, and a byte that says what it is for, over another socket. 0 when that worked; else errno says why.
int waymark_send_socket(int control, int socket, unsigned char purpose);

// Waits for sockets and starts a process for each, which is killed when it is older than `seconds`, or when this one
// ends. Returns the socket in each new process, and what it is for; -1 in this one when no sender is left.
int waymark_serve_forks(int control, unsigned seconds, unsigned char *purpose);
#endif
