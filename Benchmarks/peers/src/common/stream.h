// A non-blocking loopback connection with its buffers, and the bare frames that go over it:
// four bytes of length, big endian, then that many bytes, of which the first eight name the call.
#pragma once
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>
#include "options.h"

constexpr size_t kSlotBytes = 8;

inline sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

class Stream {
public:
    Stream(int fd, int epoll) : fd_(fd), epoll_(epoll), input_(1 << 18) {
        int one = 1;
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        fcntl(fd, F_SETFL, O_NONBLOCK);
        watch(EPOLL_CTL_ADD, EPOLLIN);
    }
    ~Stream() { close(fd_); }
    Stream(const Stream &) = delete;

    void append(const void *bytes, size_t count) { output_.append(static_cast<const char *>(bytes), count); }

    /// Appends a frame's head; its `count` bytes of payload follow, the slot first.
    void append_head(size_t count) {
        uint32_t length = htonl(static_cast<uint32_t>(count));
        append(&length, sizeof length);
    }
    /// Room for `count` more bytes of output, to be written by the caller.
    uint8_t *extend(size_t count) {
        output_.resize(output_.size() + count);
        return reinterpret_cast<uint8_t *>(output_.data()) + output_.size() - count;
    }

    /// Receives once. False when the peer has disconnected.
    bool fill() {
        ssize_t n = recv(fd_, input_.data() + filled_, input_.size() - filled_, 0);
        if (n > 0) filled_ += static_cast<size_t>(n);
        return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
    }

    /// Sends what it can and waits for EPOLLOUT for the rest. False when the peer has disconnected.
    bool flush() {
        while (sent_ < output_.size()) {
            ssize_t n = send(fd_, output_.data() + sent_, output_.size() - sent_, MSG_NOSIGNAL);
            if (n < 0 && errno != EAGAIN) return false;
            if (n < 0) break;
            sent_ += static_cast<size_t>(n);
        }
        bool blocked = sent_ < output_.size();
        if (!blocked) sent_ = 0, output_.clear();
        if (blocked != blocked_) watch(EPOLL_CTL_MOD, EPOLLIN | (blocked ? EPOLLOUT : 0u));
        blocked_ = blocked;
        return true;
    }

    /// Calls `each(payload, count)` for every whole frame. False when a length cannot be right.
    template <class Each>
    bool take_frames(Each each) {
        size_t at = 0;
        while (filled_ - at >= 4) {
            uint32_t length;
            std::memcpy(&length, &input_[at], 4);
            length = ntohl(length);
            if (length < kSlotBytes || length > input_.size() - 4) return false;
            if (filled_ - at < 4 + length) break;
            each(&input_[at + 4], length);
            at += 4 + length;
        }
        consume(at);
        return true;
    }
    const uint8_t *input() const { return input_.data(); }
    size_t filled() const { return filled_; }
    void consume(size_t count) {
        std::memmove(input_.data(), input_.data() + count, filled_ - count);
        filled_ -= count;
    }

private:
    int fd_, epoll_;
    bool blocked_ = false;
    std::vector<uint8_t> input_;
    size_t filled_ = 0, sent_ = 0;
    std::string output_;

    void watch(int operation, uint32_t events) {
        epoll_event event{};
        event.events = events;
        event.data.ptr = this;
        epoll_ctl(epoll_, operation, fd_, &event);
    }
};

inline int connect_loopback(int port) {
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = loopback(port);
    if (connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof address)) fail("connect");
    return fd;
}
