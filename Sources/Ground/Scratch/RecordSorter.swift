package import EventLoops

/// Records of a few numbers each, put in order in a bounded memory: as many as fit are sorted there and go to a file
/// without a name as a run, and in the end all runs are merged. Records are in the order of their numbers, the first
/// before the second and so on; those that are the same stay in the order in which they came. All of it blocks.
package struct RecordSorter: ~Copyable {
    /// Bytes of memory where no setting says how many.
    package static let ordinaryMemory = 16 << 20
    /// Numbers that are given to a file at once.
    private static let pieceWords = 8192

    private let width: Int
    private let folder: String?
    private let maximumWords: Int
    private var words: [UInt64] = []
    private var file: ScratchFile?
    /// Where each run begins and ends in the file, in records.
    private var runs: [Range<Int>] = []
    /// Records so far.
    package private(set) var count = 0

    /// - Parameters:
    ///   - width: numbers of a record, one or more.
    ///   - folder: where there is room for files; nil to keep all in memory.
    ///   - memory: bytes that records may take while they come, twice as much as what waits to be sorted.
    package init(width: Int, folder: String?, memory: Int) {
        self.width = width
        self.folder = folder
        maximumWords = max(memory / 16, width)
    }

    /// Sees to it that the next record can be added without touching the disk.
    package mutating func makeRoom() throws(SystemError) {
        if words.count + width > maximumWords, let folder { try store(in: folder) }
    }

    /// Adds a record; it has as many numbers as all have.
    package mutating func append(_ record: [UInt64]) throws(SystemError) {
        try makeRoom()
        words += record
        count += 1
    }

    /// Ends the adding, and gives all records; it is called once.
    /// - Parameter isKept: whether a record is among the sorted ones, by one of its numbers, whose place is `column`.
    package mutating func sorted(
        where column: Int = 0, isKept: (UInt64) -> Bool = { _ in true }
    ) throws(SystemError) -> SortedRecords {
        guard let file, let folder else { return inMemory(column, isKept) }
        try store(in: folder)
        words = []
        self.file = nil
        try file.seal()
        var merge = RunMerge(file, width, runs)
        let output = try ScratchFile(in: folder)
        var (piece, kept): ([UInt64], Int) = ([], 0)
        while let record = merge.next() {
            guard isKept(file.word(at: (record * width + column) * 8)) else { continue }
            for word in 0..<width { piece.append(file.word(at: (record * width + word) * 8)) }
            kept += 1
            if piece.count >= Self.pieceWords {
                try output.append(words: piece[...])
                piece.removeAll(keepingCapacity: true)
            }
        }
        try output.append(words: piece[...])
        try output.seal()
        return SortedRecords(count: kept, width: width, file: output)
    }

    private mutating func inMemory(_ column: Int, _ isKept: (UInt64) -> Bool) -> SortedRecords {
        var sorted: [UInt64] = []
        sorted.reserveCapacity(words.count)
        for key in order() {
            let record = Int(key.record)
            guard isKept(words[record * width + column]) else { continue }
            sorted += words[record * width..<(record + 1) * width]
        }
        words = []
        return SortedRecords(count: sorted.count / width, width: width, words: sorted)
    }

    /// Puts what is in memory into the file as another run.
    private mutating func store(in folder: String) throws(SystemError) {
        guard !words.isEmpty else { return }
        let file: ScratchFile
        if let known = self.file { file = known } else { file = try ScratchFile(in: folder) }
        self.file = file
        let start = file.byteCount / (8 * width)
        var piece: [UInt64] = []
        for key in order() {
            let record = Int(key.record)
            piece += words[record * width..<(record + 1) * width]
            if piece.count >= Self.pieceWords {
                try file.append(words: piece[...])
                piece.removeAll(keepingCapacity: true)
            }
        }
        try file.append(words: piece[...])
        runs.append(start..<start + words.count / width)
        words.removeAll(keepingCapacity: true)
    }

    /// The numbers of the records in memory, in their order. Most differ in their first number, which is compared
    /// beside them.
    private func order() -> [(first: UInt64, record: UInt32)] {
        let (words, width) = (words, width)
        var keys = (0..<words.count / width).map { (first: words[$0 * width], record: UInt32(truncatingIfNeeded: $0)) }
        keys.sort { one, other in
            if one.first != other.first { return one.first < other.first }
            let (own, next) = (Int(one.record) * width, Int(other.record) * width)
            for word in 1..<width where words[own + word] != words[next + word] {
                return words[own + word] < words[next + word]
            }
            return one.record < other.record
        }
        return keys
    }
}

/// Records in their order, to be read from any place.
package struct SortedRecords {
    package let count: Int
    private let width: Int
    /// What is in memory, where there is no file.
    private let words: [UInt64]
    private let file: ScratchFile?

    init(count: Int, width: Int, words: [UInt64] = [], file: ScratchFile? = nil) {
        (self.count, self.width, self.words, self.file) = (count, width, words, file)
    }

    /// A number of a record, by their places.
    package func word(_ word: Int, of record: Int) -> UInt64 {
        let at = record * width + word
        return file?.word(at: at * 8) ?? words[at]
    }
}
