/// Which time zone a point is in: runs of cells of a hundredth of a degree, row by row from the south.
package struct ZoneGrid: Sendable {
    private static let cells = 100.0
    private static let rowCount = 18_000
    private static let columnCount = 36_000
    /// Where no zone is.
    private static let nowhere = UInt16.max

    /// For each row the first of its runs.
    private var rows: [UInt32] = []
    /// The column that a run ends before, and its zone.
    private var ends: [UInt16] = []
    private var zones: [UInt16] = []

    package init() {}

    /// Adds rows that are the same: "12*400 *35600", a zone's number and how many cells, without a number for none.
    /// False for something else.
    package mutating func add(rows count: Int, runs: [UInt8]) -> Bool {
        guard (1...Self.rowCount).contains(count), rows.count + count <= Self.rowCount else { return false }
        let first = UInt32(ends.count)
        var column = 0
        var at = 0
        // In one pass over the bytes: there are millions, at each start.
        while at < runs.count {
            let zone = Self.number(runs, &at)
            guard at < runs.count, runs[at] == UInt8(ascii: "*") else { return false }
            at += 1
            guard let length = Self.number(runs, &at), length > 0 else { return false }
            if at < runs.count {
                guard runs[at] == UInt8(ascii: " ") else { return false }
                at += 1
            }
            column += length
            guard zone ?? 0 <= Int(Self.nowhere), column <= Self.columnCount else { return false }
            ends.append(UInt16(column))
            zones.append(zone.map { UInt16($0) } ?? Self.nowhere)
        }
        guard column == Self.columnCount else { return false }
        rows += [UInt32](repeating: first, count: count)
        return true
    }

    /// The number of at most five digits that begins there; nil without one. Goes on behind it.
    private static func number(_ bytes: [UInt8], _ at: inout Int) -> Int? {
        let end = min(bytes.count, at + 5)
        var value: Int?
        while at < end, case let digit = bytes[at], (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) {
            value = (value ?? 0) * 10 + Int(digit - UInt8(ascii: "0"))
            at += 1
        }
        return value
    }

    /// The number of the zone at a point; nil for none, as at sea.
    package func zone(latitude: Double, longitude: Double) -> Int? {
        let row = Int(((latitude + 90) * Self.cells).rounded(.down))
        guard !rows.isEmpty, row >= 0, row <= Self.rowCount else { return nil }
        let column = min(Self.columnCount - 1, max(0, Int(((longitude + 180) * Self.cells).rounded(.down))))
        // A row's last run ends behind the last column.
        var run = Int(rows[min(row, rows.count - 1)])
        while Int(ends[run]) <= column { run += 1 }
        return zones[run] == Self.nowhere ? nil : Int(zones[run])
    }
}
