// A single-threaded epoll server of bare frames: what the servers of frames share.
#pragma once
#include "../common/stream.h"

/// Listens on a free loopback port, says so, and gives the listener, which `epoll` watches with no pointer.
inline int listen_loopback(int epoll) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    auto *bare = reinterpret_cast<sockaddr *>(&address);
    if (bind(listener, bare, size) || listen(listener, 256) || getsockname(listener, bare, &size)) fail("listen");
    epoll_event event{};
    event.events = EPOLLIN;
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
    std::printf("READY port=%d\n", ntohs(address.sin_port));
    std::fflush(stdout);
    return listener;
}

/// Receives what has come and hands each frame to `each(payload, count)`. False when the peer has disconnected.
template <class Each>
bool receive(Stream &stream, uint32_t events, Each each) {
    bool readable = events & (EPOLLIN | EPOLLHUP | EPOLLERR);
    return !readable || (stream.fill() && stream.take_frames(each));
}

/// Hands every frame to `answer(stream, payload, count)` for ever.
template <class Answer>
[[noreturn]] void serve(Answer answer) {
    int epoll = epoll_create1(0), listener = listen_loopback(epoll);
    for (;;) {
        epoll_event events[64];
        int count = epoll_wait(epoll, events, 64, -1);
        for (int i = 0; i < count; i++) {
            auto *stream = static_cast<Stream *>(events[i].data.ptr);
            if (!stream) {
                int fd = accept(listener, nullptr, nullptr);
                if (fd >= 0) new Stream(fd, epoll);  // deleted when its peer disconnects
                continue;
            }
            auto each = [&](const uint8_t *payload, size_t n) { answer(*stream, payload, n); };
            if (!receive(*stream, events[i].events, each) || !stream->flush()) delete stream;
        }
    }
}
