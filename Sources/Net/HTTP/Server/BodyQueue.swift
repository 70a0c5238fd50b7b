import EventLoops

/// The bytes of a streamed body on their way from its writer to the socket. Lives on one loop.
struct BodyQueue {
    /// What a read returns.
    enum Next: Equatable {
        case bytes(Int)
        case nothingYet
        case end
        case failure
    }

    /// Smaller parts are joined, larger ones stay as they came: copying them would cost more than everything else.
    private static let smallBytes = 4 << 10

    /// None of them is empty.
    private(set) var parts: [ArraySlice<UInt8>] = []
    private(set) var count = 0
    /// Bytes of the first part that were read: it is freed as a whole.
    private var readOfFirst = 0
    private var isEnded = false
    /// Whether all was read, and nothing more comes.
    var isOver: Bool { isEnded && count == 0 }
    private(set) var isFailed = false

    /// Bytes of memory that it holds.
    var heldBytes: Int { count + readOfFirst }

    mutating func append(_ bytes: ArraySlice<UInt8>) {
        if bytes.isEmpty { return }
        count += bytes.count
        if let last = parts.indices.last, parts[last].count + bytes.count <= Self.smallBytes {
            parts[last] += bytes
        } else {
            parts.append(bytes)
        }
    }

    mutating func end() { isEnded = true }

    /// Drops what was written, and lets the client see that the body is incomplete.
    mutating func fail() {
        isFailed = true
        (parts, count, readOfFirst) = ([], 0, 0)
    }

    /// Moves bytes into `target`.
    mutating func read(into target: UnsafeMutableRawBufferPointer) -> Next {
        if isFailed { return .failure }
        guard count > 0 else { return isEnded ? .end : .nothingYet }
        var taken = 0
        while taken < target.count, let part = parts.first {
            let some = part.prefix(target.count - taken)
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: target[taken...])
            unsafe some.withUnsafeBytes { unsafe room.copyMemory(from: $0) }
            taken += some.count
            if some.count == part.count {
                parts.removeFirst()
                readOfFirst = 0
            } else {
                parts[0].removeFirst(some.count)
                readOfFirst += some.count
            }
        }
        count -= taken
        return .bytes(taken)
    }
}
