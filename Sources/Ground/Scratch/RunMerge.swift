/// Goes through sorted runs of records in the order of all: a heap of the next record of each.
struct RunMerge {
    private struct Head {
        var first: UInt64
        /// The next record of the run.
        var record: Int
        let end: Int
    }

    private let file: ScratchFile
    private let width: Int
    private var heads: [Head]

    /// - Parameters:
    ///   - file: sealed.
    ///   - width: numbers of a record.
    ///   - runs: where they are, in records; none is empty.
    init(_ file: ScratchFile, _ width: Int, _ runs: [Range<Int>]) {
        self.file = file
        self.width = width
        heads = runs.map {
            Head(first: file.word(at: $0.lowerBound * width * 8), record: $0.lowerBound, end: $0.upperBound)
        }
        for index in heads.indices.reversed() { sink(index) }
    }

    /// The place of the next record; nil when there is none any more.
    mutating func next() -> Int? {
        guard let head = heads.first else { return nil }
        if head.record + 1 < head.end {
            heads[0].record += 1
            heads[0].first = file.word(at: heads[0].record * width * 8)
        } else {
            heads[0] = heads[heads.count - 1]
            heads.removeLast()
        }
        sink(0)
        return head.record
    }

    private mutating func sink(_ start: Int) {
        var index = start
        while true {
            var least = index
            for child in 2 * index + 1...2 * index + 2 where child < heads.count && comes(child, before: least) {
                least = child
            }
            if least == index { return }
            heads.swapAt(index, least)
            index = least
        }
    }

    private func comes(_ one: Int, before other: Int) -> Bool {
        if heads[one].first != heads[other].first { return heads[one].first < heads[other].first }
        for word in 1..<width {
            let own = file.word(at: (heads[one].record * width + word) * 8)
            let next = file.word(at: (heads[other].record * width + word) * 8)
            if own != next { return own < next }
        }
        // What came before is before it in the file.
        return heads[one].record < heads[other].record
    }
}
