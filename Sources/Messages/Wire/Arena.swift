internal import CProtobufC

/// The memory for unpacking on one thread: allocated by moving a cursor, freed all at once.
///
///     block      ┌────────────┬────────────┬───────────────┐
///                │ C struct   │ its bytes  │ free          │
///                └────────────┴────────────┴───────────────┘
///                             mark         ↑ cursor         ↑ end
/// Uses nest: each takes a mark before it starts and frees everything after the mark when it ends. The first block
/// stays with the thread, so ordinary messages allocate nothing here.
@safe
package struct Arena {
    let state: UnsafeMutablePointer<ArenaState>

    /// Starts a use that may take `budget` bytes. Uses end in reverse order, on the thread they began on.
    package func begin(budget: Int) -> ArenaUse { ArenaUse(self, budget: budget) }

    /// Memory for `byteCount` bytes, aligned for any type, or nil past the budget.
    package func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? { unsafe state.pointee.allocate(byteCount) }

    /// Charges memory outside the arena to the budget: the Swift values made from what was unpacked.
    package func charge(count: Int, bytesEach: Int) -> Bool {
        let (byteCount, overflow) = count.multipliedReportingOverflow(by: bytesEach)
        guard !overflow, unsafe byteCount <= state.pointee.budget else { return false }
        unsafe state.pointee.budget -= byteCount
        return true
    }

    /// Unpacks with protobuf-c into the arena. The pointer is good until the arena's use ends.
    package func unpack(_ layout: MessageLayout, _ bytes: UnsafeRawBufferPointer) throws(WireError) -> UnsafeRawPointer
    {
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        let allocator = unsafe UnsafeMutableRawPointer(state).assumingMemoryBound(to: ProtobufCAllocator.self)
        if let root = unsafe protobuf_c_message_unpack(layout.descriptor, allocator, bytes.count, start) {
            return UnsafeRawPointer(root)
        }
        throw unsafe state.pointee.isOverBudget
            ? .overBudget(layout.name, byteCount: bytes.count) : .malformed(layout.name, byteCount: bytes.count)
    }

    /// The same for bytes in an array. What is unpacked does not point into them.
    package func unpack(_ layout: MessageLayout, _ bytes: ArraySlice<UInt8>) throws(WireError) -> UnsafeRawPointer {
        try unsafe bytes.withUnsafeBufferPointer { bytes throws(WireError) in
            try unsafe unpack(layout, UnsafeRawBufferPointer(bytes))
        }
    }
}

/// One packing or unpacking: remembers the cursor and the rest of the budget from before it began.
@safe
package struct ArenaUse {
    /// The arena that is used.
    package let arena: Arena
    private let block: UnsafeMutablePointer<ArenaBlock>
    private let cursor: UnsafeMutableRawPointer
    private let budget: Int
    private let isOverBudget: Bool

    fileprivate init(_ arena: Arena, budget newBudget: Int) {
        self.arena = arena
        unsafe block = arena.state.pointee.block
        unsafe cursor = arena.state.pointee.cursor
        unsafe budget = arena.state.pointee.budget
        unsafe isOverBudget = arena.state.pointee.isOverBudget
        unsafe arena.state.pointee.budget = newBudget
        unsafe arena.state.pointee.isOverBudget = false
    }

    /// Frees everything allocated since: none of it may be touched any more.
    package func end() {
        let state = unsafe arena.state
        if unsafe state.pointee.block != block { unsafe state.pointee.dropBlocks(after: block) }
        unsafe state.pointee.cursor = cursor
        unsafe state.pointee.budget = budget
        unsafe state.pointee.isOverBudget = isOverBudget
    }
}
