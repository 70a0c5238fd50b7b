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
    package mutating func add(rows count: Int, runs: some Collection<UInt8>) -> Bool {
        guard (1...Self.rowCount).contains(count), rows.count + count <= Self.rowCount else { return false }
        let first = UInt32(ends.count)
        var column = 0
        for run in runs.split(separator: UInt8(ascii: " ")) {
            guard let mark = run.firstIndex(of: UInt8(ascii: "*")),
                let length = Self.number(run[run.index(after: mark)...]), length > 0
            else { return false }
            let zone = run[..<mark].isEmpty ? Int(Self.nowhere) : Self.number(run[..<mark])
            column += length
            guard let zone, zone <= Int(Self.nowhere), column <= Self.columnCount else { return false }
            ends.append(UInt16(column))
            zones.append(UInt16(zone))
        }
        guard column == Self.columnCount else { return false }
        rows += [UInt32](repeating: first, count: count)
        return true
    }

    private static func number(_ digits: some Collection<UInt8>) -> Int? {
        guard (1...5).contains(digits.count) else { return nil }
        var value = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int(digit - UInt8(ascii: "0"))
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
