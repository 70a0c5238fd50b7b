import FeatureFiles
import Geo

/// The ways between places: a track for each month, with a piece for each way. Months come in any order; what of them
/// is kept at once is bounded, and the one that was left longest ago is given out first.
struct TimelineWays {
    /// After so long without a point another way begins.
    private static let longestGap: Int64 = 3_600_000
    /// A phone that lies still is measured a little elsewhere each time; so near is no way, unless the point before is
    /// known to be nearer.
    private static let stillMetres = 15.0
    /// What is known worse than so is an antenna's neighbourhood.
    private static let worstMetres = 200.0
    private static let mostOfMonth = Feature.maximumPositions
    private static let mostKept = 250_000
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
    private var keptCount = 0
    private var turn = 0
    /// Of the day that was asked for last.
    private var lastMonth: (day: Int64, month: Int)?

    /// A point of a way that nothing ends but time. Gives the tracks that are complete.
    mutating func add(
        _ point: ShapePoint, device: Int64 = 0, accuracyMetres: Double? = nil
    ) -> [TrackRecord] {
        guard let time = point.milliseconds, accuracyMetres ?? 0 <= Self.worstMetres else { return [] }
        let number = month(time)
        let month = taken(number)
        let device = month.open[device] != nil || month.open.count < Self.mostDevices ? device : 0
        var useless = 0
        if let last = month.open[device]?.last {
            if abs((last.milliseconds ?? time) - time) > Self.longestGap {
                useless = month.close(device)
            } else if Distance.metres(from: last.position, to: point.position) < Self.still(accuracyMetres) {
                return []
            }
        }
        month.open[device, default: []].append(point)
        return count(month, number, 1 - useless)
    }

    /// How near to the point before is no way.
    private static func still(_ accuracyMetres: Double?) -> Double {
        accuracyMetres.map { max(stillMetres, $0) } ?? 0
    }

    /// A whole way.
    mutating func add(_ way: [ShapePoint], isStraight: Bool) -> [TrackRecord] {
        guard let time = way.lazy.compactMap(\.milliseconds).first else { return [] }
        let number = month(time)
        let month = taken(number)
        if isStraight { month.straight.append(way) } else { month.parts.append(way) }
        return count(month, number, way.count)
    }

    /// What is left, in order of time.
    mutating func finish() -> [TrackRecord] { months.keys.sorted().flatMap { take($0) } }

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
        if month.count >= Self.mostOfMonth { return take(number) }
        guard keptCount > Self.mostKept || months.count > Self.mostMonths,
            let oldest = months.min(by: { $0.value.turn < $1.value.turn })
        else { return [] }
        return take(oldest.key)
    }

    private mutating func take(_ month: Int) -> [TrackRecord] {
        guard let taken = months.removeValue(forKey: month) else { return [] }
        keptCount -= taken.count
        var parts = taken.parts + taken.open.sorted { $0.key < $1.key }.map(\.value).filter { $0.count > 1 }
        parts += Self.unknown(taken.straight, beside: parts)
        // The newest point comes first in files of some years.
        parts = parts.map { ($0.first?.time ?? 0) > ($0.last?.time ?? 0) ? $0.reversed() : $0 }
        parts.sort { ($0.first?.time ?? 0, $0.count) < ($1.first?.time ?? 0, $1.count) }
        guard !parts.isEmpty else { return [] }
        var track = TrackRecord(parts: parts.map { TrackRecord.Part($0) })
        track.name = Self.name(month)
        track.lists = [Timeline.list]
        return [track]
    }

    /// Those of straight ways during which no point is known: others are drawn by their points.
    private static func unknown(_ straight: [[ShapePoint]], beside parts: [[ShapePoint]]) -> [[ShapePoint]] {
        let times = parts.joined().compactMap(\.milliseconds).sorted()
        return straight.filter { way in
            guard let start = way.first?.milliseconds, let end = way.last?.milliseconds else { return true }
            var (low, high) = (0, times.count)
            while low < high {
                let middle = (low + high) / 2
                if times[middle] < start { low = middle + 1 } else { high = middle }
            }
            return low == times.count || times[low] > end
        }
    }

    private mutating func month(_ milliseconds: Int64) -> Int {
        let day = milliseconds / 86_400_000
        if let (known, month) = lastMonth, known == day, milliseconds >= 0 { return month }
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

extension ShapePoint {
    fileprivate var time: Int64 { milliseconds ?? 0 }
}
