import EventLoops
import Scratch

/// The positions of all nodes of a file, in a file without a name: 16 bytes each. They are found by their ids, which
/// ascend in nearly every file; those that don't are sorted, many at a time, and begin another run.
struct NodeTable: ~Copyable {
    /// More runs than these a file may not have: each is searched.
    private static let maximumRuns = 256
    private static let nodeBytes = 16
    /// Numbers that are given to the file at once, two for each node.
    private static let pieceWords = 8192

    private let file: ScratchFile
    /// Nodes that are sorted together.
    private let maximumLoose: Int
    /// Where each run begins, and the first and last of its ids.
    private var runs: [(range: Range<Int>, ids: ClosedRange<Int64>)] = []
    private(set) var count = 0
    private var cursor = 0
    /// What is not yet given to the file.
    private var piece: [UInt64] = []
    /// Nodes whose ids are lower than one before, until they are sorted, each with its place among them.
    private var loose: [(id: Int64, order: Int, point: GridPoint)] = []

    init(folder: String, maximumLoose: Int = 1 << 20) throws(SystemError) {
        file = try ScratchFile(in: folder)
        self.maximumLoose = maximumLoose
        piece.reserveCapacity(Self.pieceWords)
    }

    /// Whether the nodes are in too little order to be found.
    var isUnordered: Bool { runs.count > Self.maximumRuns }

    /// Adds a node. Of one that comes more than once the last position counts.
    mutating func add(_ id: Int64, _ point: GridPoint) throws(SystemError) {
        guard let last = runs.last, id <= last.ids.upperBound else { return try append(id, point) }
        loose.append((id, loose.count, point))
        if loose.count >= maximumLoose { try sortLoose() }
    }

    private mutating func append(_ id: Int64, _ point: GridPoint) throws(SystemError) {
        if let last = runs.indices.last, runs[last].ids.upperBound < id {
            runs[last].ids = runs[last].ids.lowerBound...id
            runs[last].range = runs[last].range.lowerBound..<count + 1
        } else if !isUnordered {
            runs.append((count..<count + 1, id...id))
        } else {
            return
        }
        count += 1
        piece.append(UInt64(bitPattern: id).littleEndian)
        let (low, high) = (UInt32(bitPattern: point.latitude), UInt32(bitPattern: point.longitude))
        piece.append((UInt64(high) << 32 | UInt64(low)).littleEndian)
        if piece.count >= Self.pieceWords { try store() }
    }

    private mutating func store() throws(SystemError) {
        try file.append(unsafe piece.withUnsafeBytes { unsafe [UInt8]($0) })
        piece.removeAll(keepingCapacity: true)
    }

    private mutating func sortLoose() throws(SystemError) {
        var sorted: [(id: Int64, order: Int, point: GridPoint)] = []
        swap(&sorted, &loose)
        sorted.sort { ($0.id, $0.order) < ($1.id, $1.order) }
        for (index, node) in sorted.enumerated() where index + 1 == sorted.count || sorted[index + 1].id != node.id {
            try append(node.id, node.point)
        }
        sorted.removeAll(keepingCapacity: true)
        swap(&sorted, &loose)
    }

    /// Ends the adding.
    mutating func seal() throws(SystemError) {
        try sortLoose()
        loose = []
        try store()
        piece = []
        try file.seal()
    }

    /// Where a node is; nil when the file does not have it.
    mutating func point(_ id: Int64) -> GridPoint? {
        // The last occurrence counts.
        for run in runs.reversed() where run.ids.contains(id) {
            if let index = index(of: id, in: run.range) { return point(at: index) }
        }
        return nil
    }

    /// Calls `body` with the position of each node.
    func forEach(_ body: (GridPoint) -> Void) {
        for index in 0..<count { body(point(at: index)) }
    }

    /// Nodes of a way often follow each other: the search begins where the one before ended, in steps that double.
    private mutating func index(of id: Int64, in run: Range<Int>) -> Int? {
        var (low, high) = (run.lowerBound, run.upperBound)
        if run.contains(cursor) {
            if self.id(at: cursor) < id {
                var step = 1
                low = cursor + 1
                while low + step < high, self.id(at: low + step) < id {
                    low += step + 1
                    step *= 2
                }
                high = min(low + step + 1, high)
            } else {
                var step = 1
                high = cursor + 1
                while high - step > low, self.id(at: high - step) > id {
                    high -= step
                    step *= 2
                }
                low = max(high - step - 1, low)
            }
        }
        while low < high {
            let middle = (low + high) / 2
            if self.id(at: middle) < id { low = middle + 1 } else { high = middle }
        }
        guard low < run.upperBound else { return nil }
        cursor = low
        return self.id(at: low) == id ? low : nil
    }

    private func id(at index: Int) -> Int64 { Int64(bitPattern: file.word(at: index * Self.nodeBytes)) }

    private func point(at index: Int) -> GridPoint {
        let word = file.word(at: index * Self.nodeBytes + 8)
        return GridPoint(
            latitude: Int32(truncatingIfNeeded: word), longitude: Int32(truncatingIfNeeded: word >> 32))
    }
}
