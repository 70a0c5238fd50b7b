import Synchronization

/// A row of counters that only grow.
///
/// `@unchecked Sendable`: the memory is allocated once, lives as long as this object, and holds only atomics.
@safe
package final class CounterRow: @unchecked Sendable {
    package let count: Int
    private let cells: UnsafeMutablePointer<Atomic<UInt64>>

    /// Two rows never share a cache line, nor two adjacent ones.
    private static let alignment = 128

    /// `count` counters, all 0.
    package init(count: Int) {
        self.count = count
        let bytes = UnsafeMutableRawPointer.allocate(
            byteCount: max(1, count) * MemoryLayout<Atomic<UInt64>>.stride, alignment: Self.alignment)
        unsafe cells = bytes.bindMemory(to: Atomic<UInt64>.self, capacity: count)
        for index in 0..<count { unsafe (cells + index).initialize(to: Atomic(0)) }
    }

    deinit { unsafe cells.deallocate() }

    /// Adds, safe with other threads that add at the same time.
    package func add(_ amount: UInt64, at index: Int) {
        precondition(index >= 0 && index < count, "there is no counter \(index)")
        unsafe cells[index].wrappingAdd(amount, ordering: .relaxed)
    }

    /// Adds from the only thread that ever adds to this row: much cheaper.
    package func addAlone(_ amount: UInt64, at index: Int) {
        precondition(index >= 0 && index < count, "there is no counter \(index)")
        let sum = unsafe cells[index].load(ordering: .relaxed) &+ amount
        unsafe cells[index].store(sum, ordering: .relaxed)
    }

    package subscript(index: Int) -> UInt64 {
        precondition(index >= 0 && index < count, "there is no counter \(index)")
        return unsafe cells[index].load(ordering: .relaxed)
    }
}
