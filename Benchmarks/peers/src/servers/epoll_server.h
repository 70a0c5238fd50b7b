// A single-threaded epoll server of bare frames: what both frame peers share.
#pragma once
#include "../common/stream.h"

/// Listens on a free loopback port, says so, and hands every frame to
/// `answer(stream, payload, count)` for ever.
template <class Answer>
[[noreturn]] void serve(Answer answer) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), epoll = epoll_create1(0);
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    auto *bare = reinterpret_cast<sockaddr *>(&address);
    if (bind(listener, bare, size) || listen(listener, 256) || getsockname(listener, bare, &size)) fail("listen");
    epoll_event event{};
    event.events = EPOLLIN;
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
    std::printf("READY port=%d\n", ntohs(address.sin_port));
    std::fflush(stdout);
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
            bool readable = events[i].events & (EPOLLIN | EPOLLHUP | EPOLLERR);
            bool alive = !readable || (stream->fill() && stream->take_frames(each));
            if (!alive || !stream->flush()) delete stream;
        }
    }
}
