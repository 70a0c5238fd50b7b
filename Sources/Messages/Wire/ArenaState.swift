internal import CProtobufC
internal import Glibc

/// The state of an arena: the block it allocates from and the rest of the budget.
@safe
struct ArenaState {
    /// First, so that a pointer to the state is a pointer to the allocator that protobuf-c calls.
    private var allocator: ProtobufCAllocator
    var block: UnsafeMutablePointer<ArenaBlock>
    var cursor: UnsafeMutableRawPointer
    private var end: UnsafeMutableRawPointer
    /// Bytes that may still be allocated.
    var budget = Int.max
    /// Whether an allocation was refused since the present use began.
    var isOverBudget = false

    /// Bytes of the block that stays with the thread.
    private static let firstBlockBytes = 64 << 10
    /// Blocks double up to this.
    private static let largestBlockBytes = 4 << 20

    init() {
        guard let first = unsafe ArenaBlock.make(byteCount: Self.firstBlockBytes, previous: nil) else {
            preconditionFailure("no memory for a thread's first block")
        }
        unsafe block = first
        unsafe cursor = block.pointee.start
        unsafe end = block.pointee.end
        unsafe allocator = ProtobufCAllocator(
            alloc: { unsafe $0?.assumingMemoryBound(to: ArenaState.self).pointee.allocate($1) },
            free: { _, _ in }, allocator_data: nil)
    }

    /// Makes the allocator call back with this state's address.
    static func make() -> UnsafeMutablePointer<ArenaState> {
        let state = UnsafeMutablePointer<ArenaState>.allocate(capacity: 1)
        unsafe state.initialize(to: ArenaState())
        unsafe state.pointee.allocator.allocator_data = UnsafeMutableRawPointer(state)
        return unsafe state
    }

    /// Frees all memory, including the state's own.
    static func destroy(_ state: UnsafeMutablePointer<ArenaState>) {
        unsafe state.pointee.dropBlocks(after: nil)
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// Memory for `byteCount` bytes on a 16-byte boundary, or nil past the budget.
    mutating func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        guard byteCount >= 0, byteCount <= budget, let start = unsafe cut(byteCount) else {
            isOverBudget = true
            return nil
        }
        budget -= byteCount
        return unsafe start
    }

    /// The same without checking the budget; nil when the system has no memory left.
    mutating func cut(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        let rounded = (byteCount &+ 15) & ~15
        if unsafe rounded > end - cursor, !addBlock(for: rounded) { return nil }
        let start = unsafe cursor
        unsafe cursor = start + rounded
        return unsafe start
    }

    /// Frees the blocks that came after `kept`; with nil, all of them.
    mutating func dropBlocks(after kept: UnsafeMutablePointer<ArenaBlock>?) {
        var last: UnsafeMutablePointer<ArenaBlock>? = unsafe block
        while let dropped = unsafe last, unsafe dropped != kept {
            unsafe last = dropped.pointee.previous
            unsafe free(dropped)
        }
        guard let last = unsafe last else { return }
        unsafe block = last
        unsafe end = last.pointee.end
    }

    private mutating func addBlock(for byteCount: Int) -> Bool {
        let doubled = unsafe min(2 * block.pointee.byteCount, Self.largestBlockBytes)
        let byteCount = max(doubled, byteCount + MemoryLayout<ArenaBlock>.stride + 16)
        guard let added = unsafe ArenaBlock.make(byteCount: byteCount, previous: block) else { return false }
        unsafe block = added
        unsafe cursor = block.pointee.start
        unsafe end = block.pointee.end
        return true
    }
}

/// The head of a piece of memory that an arena cuts from.
@safe
struct ArenaBlock {
    /// The block that was full before this one was made.
    let previous: UnsafeMutablePointer<ArenaBlock>?
    /// The whole block's size, head included.
    let byteCount: Int
    let start: UnsafeMutableRawPointer
    var end: UnsafeMutableRawPointer { unsafe start + (byteCount - 32) }

    /// Nil when the system has no memory left.
    static func make(
        byteCount: Int, previous: UnsafeMutablePointer<ArenaBlock>?
    ) -> UnsafeMutablePointer<ArenaBlock>? {
        guard let memory = unsafe malloc(byteCount) else { return nil }
        let block = unsafe memory.assumingMemoryBound(to: ArenaBlock.self)
        unsafe block.initialize(to: ArenaBlock(previous: previous, byteCount: byteCount, start: memory + 32))
        return unsafe block
    }
}
