/// Counts what a search does, and calls the checkpoint once per 4 096 tested candidates.
struct SearchProgress {
    static let interval = 4096
    /// Nodes of the trees looked at, blocks included.
    var visited = 0
    /// Places that were near enough and did not pass the filter.
    var filtered = 0
    private(set) var tested = 0
    private var next = SearchProgress.interval

    @inline(__always)
    mutating func add(_ candidates: Int, _ checkpoint: (Int) throws -> Void) throws {
        tested += candidates
        if tested >= next { try pass(checkpoint) }
    }

    private mutating func pass(_ checkpoint: (Int) throws -> Void) throws {
        next = tested + Self.interval
        try checkpoint(tested)
    }
}
