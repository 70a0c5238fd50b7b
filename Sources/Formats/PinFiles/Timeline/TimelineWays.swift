import FeatureFiles
import Geo

/// The ways between places: a track for each month, with a piece for each way. Months come in any order; what of them
/// is kept at once is bounded, and the one that was left longest ago is given out first.
struct TimelineWays {
    /// What ways come from: measured points, or what Google made of them. An archive may have both, of the same ways.
    private enum Kind { case measured, made }

    /// After so long without a point another way begins.
    private static let longestGap: Int64 = 3_600_000
    /// A phone that lies still is measured a little elsewhere each time; so near is no way, unless the point before is
    /// known to be nearer.
    private static let stillMetres = 15.0
    /// What is known worse than so is an antenna's neighbourhood.
    private static let worstMetres = 200.0
    private static let mostOfMonth = Feature.maximumPositions
    private static let mostKept = 250_000
    /// What is given out at once where there is no room, so that months are seldom looked through: a quarter.
    private static let keptAfter = 0.75
    /// As many as people have used such phones, and more.
    private static let mostMonths = 600
    /// Phones and tablets of one account, whose points are one list.
    private static let mostDevices = 8

    private final class Month {
        var parts: [[ShapePoint]] = []
        /// Pieces that may go on, by device.
        var open: [Int64: [ShapePoint]] = [:]
        /// Of ways of which only the ends are known.
        var straight: [[ShapePoint]] = []
        var count = 0
        /// When it was added to last.
        var turn = 0

        /// Ends a piece; gives how many points were of no use.
        func close(_ device: Int64) -> Int {
            guard let piece = open.removeValue(forKey: device) else { return 0 }
            if piece.count < 2 { return piece.count }
            parts.append(piece)
            return 0
        }
    }

    /// By the number of the month, counted from the year 0.
    private var months: [Int: Month] = [:]
    /// Of each month that had a way: what came first. The years have four digits, which bounds them.
    private var kinds: [Int: Kind] = [:]
    /// Whether ways were left out, as their month has some of the other kind.
    private(set) var hasOthers = false
    private var keptCount = 0
    private var turn = 0
    /// Of the day that was asked for last.
    private var lastMonth: (day: Int64, month: Int)?

    /// A point of a way that nothing ends but time; one that was measured has an accuracy. Adds the tracks that are
    /// complete. False for one without a time.
    mutating func add(
        _ point: ShapePoint, device: Int64 = 0, accuracyMetres: Double? = nil, _ tracks: inout [TrackRecord]
    ) -> Bool {
        guard let time = point.milliseconds else { return false }
        guard accuracyMetres ?? 0 <= Self.worstMetres else { return true }
        let number = month(time)
        guard isOf(accuracyMetres == nil ? .made : .measured, number) else { return true }
        let month = taken(number)
        let device = month.open[device] != nil || month.open.count < Self.mostDevices ? device : 0
        var useless = 0
        if let last = month.open[device]?.last {
            if abs((last.milliseconds ?? time) - time) > Self.longestGap {
                useless = month.close(device)
            } else if Distance.metres(from: last.position, to: point.position) < Self.still(accuracyMetres) {
                return true
            }
        }
        month.open[device, default: []].append(point)
        tracks += count(month, number, 1 - useless)
        return true
    }

    private mutating func isOf(_ wanted: Kind, _ month: Int) -> Bool {
        let kind = kinds[month] ?? wanted
        kinds[month] = kind
        if kind != wanted { hasOthers = true }
        return kind == wanted
    }

    /// How near to the point before is no way.
    private static func still(_ accuracyMetres: Double?) -> Double {
        accuracyMetres.map { max(stillMetres, $0) } ?? 0
    }

    /// A whole way. False for one without a time.
    mutating func add(_ way: [ShapePoint], isStraight: Bool, _ tracks: inout [TrackRecord]) -> Bool {
        guard let time = way.firstTime else { return false }
        let number = month(time)
        guard isOf(.made, number) else { return true }
        let month = taken(number)
        if isStraight { month.straight.append(way) } else { month.parts.append(way) }
        tracks += count(month, number, way.count)
        return true
    }

    /// What is left, a month at a time in their order; nil behind the last.
    mutating func next() -> TrackRecord? {
        while let month = months.keys.min() {
            if let track = take(month) { return track }
        }
        return nil
    }

    private mutating func taken(_ number: Int) -> Month {
        if let month = months[number] { return month }
        let month = Month()
        months[number] = month
        return month
    }

    private mutating func count(_ month: Month, _ number: Int, _ added: Int) -> [TrackRecord] {
        turn += 1
        month.turn = turn
        month.count += added
        keptCount += added
        if month.count >= Self.mostOfMonth { return [take(number)].compactMap(\.self) }
        guard keptCount > Self.mostKept || months.count > Self.mostMonths else { return [] }
        var tracks: [TrackRecord] = []
        for oldest in months.sorted(by: { $0.value.turn < $1.value.turn }).map(\.key) {
            guard
                Double(keptCount) > Self.keptAfter * Double(Self.mostKept)
                    || Double(months.count) > Self.keptAfter * Double(Self.mostMonths)
            else { break }
            if let track = take(oldest) { tracks.append(track) }
        }
        return tracks
    }

    private mutating func take(_ month: Int) -> TrackRecord? {
        guard let taken = months.removeValue(forKey: month) else { return nil }
        keptCount -= taken.count
        var parts = taken.parts + taken.open.sorted { $0.key < $1.key }.map(\.value).filter { $0.count > 1 }
        parts += Self.unknown(taken.straight, beside: parts)
        // The newest point comes first in files of some years.
        parts = parts.map { $0.isBackwards ? $0.reversed() : $0 }
        parts.sort { ($0.firstTime ?? 0, $0.count) < ($1.firstTime ?? 0, $1.count) }
        guard !parts.isEmpty else { return nil }
        var track = TrackRecord(parts: parts.map { TrackRecord.Part($0) })
        track.name = Self.name(month)
        track.lists = [.phoneHistory]
        return track
    }

    /// Those of straight ways during which no point is known: others are drawn by their points. One at an end of a way
    /// alone draws nothing of it.
    private static func unknown(_ straight: [[ShapePoint]], beside parts: [[ShapePoint]]) -> [[ShapePoint]] {
        let times = parts.joined().compactMap(\.milliseconds).sorted()
        return straight.filter { way in
            guard let start = way.first?.milliseconds, let end = way.last?.milliseconds else { return true }
            var (low, high) = (0, times.count)
            while low < high {
                let middle = (low + high) / 2
                if times[middle] < start { low = middle + 1 } else { high = middle }
            }
            let within = times[low...].prefix(2).filter { $0 <= end }
            return !within.contains { $0 > start && $0 < end } && within.count < 2
        }
    }

    private mutating func month(_ milliseconds: Int64) -> Int {
        let day = milliseconds.floorDay
        if let (known, month) = lastMonth, known == day { return month }
        let digits = FileTime.text(milliseconds).utf8.prefix(7).filter { $0 != UInt8(ascii: "-") }
        let number = digits.reduce(0) { $0 * 10 + Int($1) - 48 }
        let month = number / 100 * 12 + number % 100 - 1
        lastMonth = (day, month)
        return month
    }

    /// "2024-05".
    private static func name(_ month: Int) -> String {
        let (year, rest) = month.quotientAndRemainder(dividingBy: 12)
        let digits = String(year * 100 + rest + 1)
        let padded = String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
        return "\(padded.prefix(4))-\(padded.suffix(2))"
    }
}

extension [ShapePoint] {
    fileprivate var firstTime: Int64? { lazy.compactMap(\.milliseconds).first }

    /// Whether its times say so: one that has none of both does not.
    fileprivate var isBackwards: Bool {
        guard let start = first?.milliseconds, let end = last?.milliseconds else { return false }
        return start > end
    }
}
