import EventLoops

/// The bytes of a streamed body on their way from its writer to the socket. Lives on one loop.
struct BodyQueue {
    /// What the reader finds.
    enum Next: Equatable {
        case bytes(Int)
        case nothingYet
        case end
        case failure
    }

    private(set) var pending: [UInt8] = []
    private var start = 0
    private var isEnded = false
    private(set) var isFailed = false

    var count: Int { pending.count - start }

    mutating func append(_ bytes: [UInt8]) {
        if start == pending.count {
            pending = bytes
            start = 0
        } else {
            // What was read is dropped when it is as much as what is left, so that each byte moves once at most.
            if start >= count {
                pending.removeFirst(start)
                start = 0
            }
            pending += bytes
        }
    }

    mutating func end() { isEnded = true }

    /// What was written is dropped, and the client sees that the body is not whole.
    mutating func fail() {
        isFailed = true
        pending = []
        start = 0
    }

    /// Moves bytes into `target`.
    mutating func read(into target: UnsafeMutableRawBufferPointer) -> Next {
        if isFailed { return .failure }
        guard count > 0 else { return isEnded ? .end : .nothingYet }
        let taken = min(count, target.count)
        unsafe pending.withUnsafeBytes { bytes in
            unsafe target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + taken]))
        }
        start += taken
        if start == pending.count {
            pending = []
            start = 0
        }
        return .bytes(taken)
    }
}
