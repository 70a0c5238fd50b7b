/// Where a pin's search stands. The numbers are kept in the database: one that was used never changes its meaning.
enum PinState: Int64, Sendable, CaseIterable {
    /// Created or moved, nothing found yet.
    case new = 1
    /// The first places are there.
    case partial = 2
    /// Every network has ended.
    case ready = 3
    /// Every network failed.
    case failed = 4
}
