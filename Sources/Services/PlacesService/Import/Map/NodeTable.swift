import EventLoops
import VectorTiles

/// The positions of all nodes of a file, in a file without a name: 16 bytes each. They are found by their ids, which
/// ascend in nearly every file; where they don't, another run begins.
struct NodeTable: ~Copyable {
    /// More runs than these a file may not have: each is searched.
    private static let mostRuns = 256
    private static let nodeBytes = 16
    /// Nodes that came with their ways and are sorted together.
    private static let mostLoose = 1 << 20

    private let file: ScratchFile
    /// Where each run begins, and the first and last of its ids.
    private var runs: [(range: Range<Int>, ids: ClosedRange<Int64>)] = []
    private(set) var count = 0
    private var cursor = 0
    /// Nodes that came with their ways, which give them in any order, and more than once.
    private var loose: [(id: Int64, point: GridPoint)] = []

    init(folder: String) throws(SystemError) { file = try ScratchFile(in: folder) }

    /// Whether the nodes are in too little order to be found.
    var isUnordered: Bool { runs.count > Self.mostRuns }

    /// Appends a node.
    mutating func add(_ id: Int64, _ point: GridPoint) throws(SystemError) {
        if let last = runs.indices.last, runs[last].ids.upperBound < id {
            runs[last].ids = runs[last].ids.lowerBound...id
            runs[last].range = runs[last].range.lowerBound..<count + 1
        } else if !isUnordered {
            runs.append((count..<count + 1, id...id))
        } else {
            return
        }
        count += 1
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.nodeBytes)
        bytes.append(number: id)
        bytes.append(number: point.latitude)
        bytes.append(number: point.longitude)
        try file.append(bytes)
    }

    /// Appends a node that came with a way.
    mutating func add(ofWay id: Int64, _ point: GridPoint) throws(SystemError) {
        if loose.count >= Self.mostLoose { try sortLoose() }
        loose.append((id, point))
    }

    private mutating func sortLoose() throws(SystemError) {
        let sorted = loose.sorted { $0.id < $1.id }
        loose.removeAll(keepingCapacity: true)
        var last: Int64?
        for node in sorted where node.id != last {
            try add(node.id, node.point)
            last = node.id
        }
    }

    /// Ends the appending.
    mutating func seal() throws(SystemError) {
        try sortLoose()
        loose = []
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

    private func id(at index: Int) -> Int64 { file.number(Int64.self, at: index * Self.nodeBytes) }

    private func point(at index: Int) -> GridPoint {
        let start = index * Self.nodeBytes
        return GridPoint(
            latitude: file.number(Int32.self, at: start + 8), longitude: file.number(Int32.self, at: start + 12))
    }
}
