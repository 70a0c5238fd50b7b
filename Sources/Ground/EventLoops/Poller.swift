import CLinux
import Glibc

/// What a descriptor is ready for.
struct Readiness: OptionSet, Sendable {
    let rawValue: UInt32
    /// There is something to read, or the end of the stream.
    static let read = Readiness(rawValue: EPOLLIN.rawValue | EPOLLRDHUP.rawValue)
    /// The peer sends no more.
    static let hangUp = Readiness(rawValue: EPOLLRDHUP.rawValue)
    /// There is room to write.
    static let write = Readiness(rawValue: EPOLLOUT.rawValue)
    /// The connection is broken.
    static let broken = Readiness(rawValue: EPOLLERR.rawValue | EPOLLHUP.rawValue)
}

/// An epoll instance. Knows descriptors only by the 64-bit tag they were added with.
@safe
struct Poller: ~Copyable {
    private let descriptor: Int32
    private let events: UnsafeMutableBufferPointer<epoll_event>

    init() throws(SystemError) {
        descriptor = try syscall("epoll_create1") { epoll_create1(Int32(EPOLL_CLOEXEC)) }
        unsafe events = .allocate(capacity: 256)
        unsafe events.initialize(repeating: epoll_event())
    }

    deinit {
        unsafe events.deallocate()
        close(descriptor)
    }

    func add(_ target: Int32, _ interest: Readiness, tag: UInt64) throws(SystemError) {
        try control(EPOLL_CTL_ADD, target, interest, tag)
    }

    func change(_ target: Int32, _ interest: Readiness, tag: UInt64) throws(SystemError) {
        try control(EPOLL_CTL_MOD, target, interest, tag)
    }

    func remove(_ target: Int32) throws(SystemError) { try control(EPOLL_CTL_DEL, target, [], 0) }

    /// Waits at most `milliseconds` (-1: without limit) and returns how many descriptors are ready, at most 256 at
    /// once.
    func wait(milliseconds: Int32) throws(SystemError) -> Int {
        Int(
            try syscall("epoll_wait") {
                unsafe epoll_wait(descriptor, events.baseAddress, Int32(events.count), milliseconds)
            })
    }

    /// One of those that the last `wait` counted.
    func event(_ index: Int) -> (tag: UInt64, readiness: Readiness) {
        unsafe (events[index].data.u64, Readiness(rawValue: events[index].events))
    }

    private func control(
        _ operation: Int32, _ target: Int32, _ interest: Readiness, _ tag: UInt64
    ) throws(SystemError) {
        var event = unsafe epoll_event()
        unsafe event.events = interest.rawValue
        unsafe event.data.u64 = tag
        try syscall("epoll_ctl") { unsafe epoll_ctl(descriptor, operation, target, &event) }
    }
}
