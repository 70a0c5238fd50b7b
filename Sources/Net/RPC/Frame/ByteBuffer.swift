/// Bytes that are appended at one end and consumed at the other, in one growing block of memory.
///
/// `0 <= head <= tail <= capacity`; the bytes from `head` to `tail` are the content. Content is moved to the front only
/// when room is needed, so that a burst of small frames moves nothing.
@safe
package struct ByteBuffer: ~Copyable, @unchecked Sendable {
    // @unchecked Sendable: the memory has this one owner, the value cannot be copied.
    private var memory: UnsafeMutableRawBufferPointer = unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var head = 0
    private var tail = 0

    package init() {}

    deinit { unsafe memory.deallocate() }

    /// How many bytes it holds.
    package var count: Int { tail - head }
    package var isEmpty: Bool { head == tail }
    /// How many bytes of memory it uses.
    package var capacity: Int { unsafe memory.count }

    /// The content.
    package func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        try unsafe body(UnsafeRawBufferPointer(rebasing: memory[head..<tail]))
    }

    /// - Parameter maximum: the size in bytes that it grows to at most, unless the content needs more.
    package mutating func append(_ bytes: UnsafeRawBufferPointer, maximum: Int = .max) {
        reserve(bytes.count, maximum: maximum)
        unsafe appendRoom(bytes.count) { room in unsafe room.copyMemory(from: bytes) }
    }

    /// How many bytes of memory it would use with `extra` appended.
    package func capacity(with extra: Int, maximum: Int = .max) -> Int {
        count + extra <= capacity ? capacity : grown(count + extra, maximum)
    }

    private func grown(_ needed: Int, _ maximum: Int) -> Int {
        max(512, needed, min(capacity * 2, needed * 2, maximum))
    }

    /// Appends `count` bytes that `body` writes.
    package mutating func appendRoom(_ count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
        reserve(count)
        unsafe body(UnsafeMutableRawBufferPointer(rebasing: memory[tail..<tail + count]))
        tail += count
    }

    /// Drops bytes at the front.
    package mutating func consume(_ count: Int) {
        precondition(count >= 0 && count <= self.count, "more bytes were consumed than are there")
        head += count
        if head == tail {
            head = 0
            tail = 0
        }
    }

    /// Frees memory when the buffer is empty and has grown past `limitBytes`.
    package mutating func shrink(toAtMost limitBytes: Int) {
        guard isEmpty, capacity > limitBytes else { return }
        unsafe memory.deallocate()
        unsafe memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }

    private mutating func reserve(_ extra: Int, maximum: Int = .max) {
        if tail + extra <= capacity { return }
        let needed = count + extra
        if needed <= capacity / 2 {
            unsafe memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[head..<tail]))
        } else {
            let grown = UnsafeMutableRawBufferPointer.allocate(
                byteCount: grown(needed, maximum), alignment: 16)
            unsafe grown.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[head..<tail]))
            unsafe memory.deallocate()
            unsafe memory = grown
        }
        tail -= head
        head = 0
    }
}
