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

    /// Small ones are put together, large ones stay as they came: copying them would cost more than all else.
    private static let smallBytes = 4 << 10

    /// Never an empty one among them.
    private(set) var parts: [[UInt8]] = []
    /// How much of the first one is read.
    private var start = 0
    private(set) var count = 0
    private var isEnded = false
    private(set) var isFailed = false

    mutating func append(_ bytes: [UInt8]) {
        if bytes.isEmpty { return }
        count += bytes.count
        if let last = parts.indices.last, parts[last].count + bytes.count <= Self.smallBytes {
            parts[last] += bytes
        } else {
            parts.append(bytes)
        }
    }

    mutating func end() { isEnded = true }

    /// What was written is dropped, and the client sees that the body is not whole.
    mutating func fail() {
        isFailed = true
        (parts, start, count) = ([], 0, 0)
    }

    /// Moves bytes into `target`.
    mutating func read(into target: UnsafeMutableRawBufferPointer) -> Next {
        if isFailed { return .failure }
        guard count > 0 else { return isEnded ? .end : .nothingYet }
        var taken = 0
        while taken < target.count, let part = parts.first {
            let some = min(part.count - start, target.count - taken)
            unsafe part.withUnsafeBytes { bytes in
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: target[taken..<taken + some])
                unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + some]))
            }
            taken += some
            start += some
            if start == part.count {
                parts.removeFirst()
                start = 0
            }
        }
        count -= taken
        return .bytes(taken)
    }
}
