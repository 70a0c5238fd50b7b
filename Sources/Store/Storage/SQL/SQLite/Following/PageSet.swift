/// Numbers of pages, a bit for each.
struct PageSet: Equatable {
    private var words: [UInt64] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    func contains(_ page: UInt32) -> Bool {
        let word = Int(page / 64)
        return word < words.count && words[word] & (1 << UInt64(page % 64)) != 0
    }

    mutating func insert(_ page: UInt32) {
        let (word, bit) = (Int(page / 64), UInt64(1) << UInt64(page % 64))
        if word >= words.count { words += [UInt64](repeating: 0, count: word + 1 - words.count) }
        if words[word] & bit == 0 { count += 1 }
        words[word] |= bit
    }

    mutating func remove(_ page: UInt32) {
        guard contains(page) else { return }
        words[Int(page / 64)] &= ~(1 << UInt64(page % 64))
        count -= 1
    }

    mutating func formUnion(_ other: PageSet) {
        if other.words.count > words.count {
            words += [UInt64](repeating: 0, count: other.words.count - words.count)
        }
        for (index, word) in other.words.enumerated() { words[index] |= word }
        count = words.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    /// In order, the first `limit` of them.
    func first(_ limit: Int) -> [UInt32] {
        var pages: [UInt32] = []
        pages.reserveCapacity(min(limit, count))
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                guard pages.count < limit else { return pages }
                pages.append(UInt32(index * 64 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return pages
    }
}
