/// The same memory of a thread, for packing. What is packed is in memory already, as a Swift value or as C structs that
/// a budget has bounded, and takes no more room than that: so no budget is checked, and a budget that reading has used
/// up can't refuse what packing needs.
@safe
package struct PackingArena {
    private let state: UnsafeMutablePointer<ArenaState>

    private init(_ arena: Arena) { unsafe state = arena.state }

    /// The calling thread's.
    package static var ofThread: PackingArena { PackingArena(.ofThread) }

    /// Starts a use. Uses end in reverse order, on the thread they began on.
    func begin() -> ArenaUse { unsafe Arena(state: state).begin(budget: .max) }

    /// Memory for `byteCount` bytes, aligned for any type.
    package func room(_ byteCount: Int) -> UnsafeMutableRawPointer {
        guard let room = unsafe state.pointee.cut(byteCount) else {
            preconditionFailure("the system has no memory left for \(byteCount) bytes")
        }
        return unsafe room
    }
}
