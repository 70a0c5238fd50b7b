/// The offsets of a time zone, as a TZif file has them (RFC 9636).
package struct ZoneRules: Sendable {
    /// Of a file, and of what its last line adds until `lastYear`.
    private static let mostTransitions = 4000
    private static let lastYear = 2100

    /// Seconds of UTC since 1970, ascending, at which an offset begins.
    private var times: [Int64] = []
    private var offsets: [Int32] = []
    /// Before the first.
    private var first: Int32 = 0

    /// The same offset at all times, in seconds east of UTC.
    package init(offset: Int32) { first = offset }

    /// Nil when the bytes are no such file.
    package init?(_ bytes: [UInt8]) {
        guard var file = ZoneFile(bytes), file.version >= 2 else { return nil }
        guard file.skipData(timeBytes: 4), let next = ZoneFile(bytes, at: file.at) else { return nil }
        file = next
        guard file.transitions <= Self.mostTransitions, file.types > 0, file.isWhole else { return nil }
        for index in 0..<file.transitions {
            guard let time = file.time(index), let type = file.type(ofTransition: index),
                let offset = file.offset(ofType: type), times.last.map({ $0 < time }) ?? true
            else { return nil }
            times.append(time)
            offsets.append(offset)
        }
        guard let start = file.offset(ofType: 0) else { return nil }
        first = start
        if let rule = file.footer.flatMap({ ZoneLine($0) }) { extend(by: rule) }
    }

    private mutating func extend(by line: ZoneLine) {
        guard let summer = line.summer else {
            if times.isEmpty { first = line.offset }
            return
        }
        let from = times.last ?? .min
        let year = times.last.map { CivilDay(Int($0 / 86_400)).year } ?? 1970
        for year in year...Self.lastYear {
            let starts = (Int64(summer.start.seconds(in: year)) - Int64(line.offset), summer.offset)
            let ends = (Int64(summer.end.seconds(in: year)) - Int64(summer.offset), line.offset)
            for (time, offset) in starts.0 < ends.0 ? [starts, ends] : [ends, starts] where time > from {
                times.append(time)
                offsets.append(offset)
            }
        }
    }

    /// Seconds east of UTC at an instant in seconds since 1970.
    package func offset(at seconds: Int64) -> Int {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return Int(low == 0 ? first : offsets[low - 1])
    }

    /// The instant of a local time, which counts as if it were UTC; the later one where there are two.
    package func instant(ofLocal seconds: Int64) -> Int64 {
        let after = seconds - Int64(offset(at: seconds - Int64(offset(at: seconds + 86_400))))
        if after + Int64(offset(at: after)) == seconds { return after }
        return seconds - Int64(offset(at: seconds - 86_400))
    }
}

/// One part of a TZif file.
private struct ZoneFile {
    private static let headBytes = 44
    private let bytes: [UInt8]
    private(set) var at: Int
    let version: Int
    private let counts: [Int]

    init?(_ bytes: [UInt8], at start: Int = 0) {
        guard start >= 0, bytes.count >= start + Self.headBytes, bytes[start...].starts(with: "TZif".utf8) else {
            return nil
        }
        self.bytes = bytes
        version = bytes[start + 4] == 0 ? 1 : Int(bytes[start + 4]) - 48
        counts = (0..<6).map { Int(Self.number(bytes, start + 20 + 4 * $0, 4)) }
        guard counts.allSatisfy({ $0 >= 0 && $0 <= 1 << 16 }) else { return nil }
        at = start + Self.headBytes
    }

    var transitions: Int { counts[3] }
    var types: Int { counts[4] }

    private static func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int64 {
        let value = (0..<count).reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[at + $1]) }
        return count == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
    }

    private func dataBytes(timeBytes: Int) -> Int {
        transitions * (timeBytes + 1) + types * 6 + counts[5] + counts[2] * (timeBytes + 4) + counts[1] + counts[0]
    }

    mutating func skipData(timeBytes: Int) -> Bool {
        at += dataBytes(timeBytes: timeBytes)
        return at <= bytes.count
    }

    // Of the second part, whose times have eight bytes.

    var isWhole: Bool { at + dataBytes(timeBytes: 8) <= bytes.count }

    private func number(_ place: Int, _ count: Int) -> Int64? {
        place + count <= bytes.count ? Self.number(bytes, place, count) : nil
    }

    func time(_ index: Int) -> Int64? { number(at + index * 8, 8) }

    func type(ofTransition index: Int) -> Int? {
        let place = at + transitions * 8 + index
        return place < bytes.count ? Int(bytes[place]) : nil
    }

    func offset(ofType type: Int) -> Int32? {
        guard type < types, let offset = number(at + transitions * 9 + type * 6, 4), abs(offset) < 100_000 else {
            return nil
        }
        return Int32(offset)
    }

    /// The line that says what goes on behind the last transition.
    var footer: ArraySlice<UInt8>? {
        let start = at + dataBytes(timeBytes: 8) + 1
        guard start <= bytes.count, let end = bytes[start...].firstIndex(of: 10) else { return nil }
        return bytes[start..<end]
    }
}
