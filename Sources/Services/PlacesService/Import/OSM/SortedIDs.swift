/// Distinct ids in ascending order. Looking them up in about that order takes a few steps each.
struct SortedIDs {
    private let ids: [Int64]

    /// Takes ids in any order, also repeated ones.
    init(_ ids: consuming [Int64]) {
        ids.sort()
        var count = 0
        for index in ids.indices where index == 0 || ids[index] != ids[count - 1] {
            ids[count] = ids[index]
            count += 1
        }
        ids.removeLast(ids.count - count)
        self.ids = ids
    }

    var count: Int { ids.count }

    /// Whether one of them is in a range.
    func meets(_ range: ClosedRange<Int64>) -> Bool {
        var cursor = 0
        if index(of: range.lowerBound, near: &cursor) != nil { return true }
        return cursor < ids.count && ids[cursor] <= range.upperBound
    }

    /// The index of an id; nil when it is missing.
    func index(of id: Int64) -> Int? {
        var cursor = 0
        return index(of: id, near: &cursor)
    }

    /// The same; the search begins at `cursor`, where the one before ended.
    func index(of id: Int64, near cursor: inout Int) -> Int? {
        var (low, high) = range(around: id, from: cursor)
        while low < high {
            let middle = (low + high) / 2
            if ids[middle] < id { low = middle + 1 } else { high = middle }
        }
        cursor = low
        return low < ids.count && ids[low] == id ? low : nil
    }

    /// A range that the first id not below `id` is in or just behind: from the cursor in steps that double.
    private func range(around id: Int64, from cursor: Int) -> (low: Int, high: Int) {
        guard cursor < ids.count, ids[cursor] < id else { return (0, min(cursor, ids.count)) }
        var (low, step) = (cursor + 1, 1)
        while low + step < ids.count, ids[low + step] < id {
            low += step + 1
            step *= 2
        }
        return (low, min(low + step, ids.count))
    }
}
