import Bytes
import FeatureFiles
import Geo
import Refusals

/// An element of a file of where a phone was: one was at a place, or on a way, or a single measured point.
struct TimelineEntry {
    /// In its list, from 1.
    let number: UInt64
    var start: TimelineTime?
    var end: TimelineTime?
    /// How far the clock was ahead of UTC.
    var offsetMinutes: Int64?
    /// The place, and places inside of it.
    var visits: [Visit] = []
    /// Where a way began and ended.
    var ends: (from: TimelinePoint, to: TimelinePoint) = (TimelinePoint(), TimelinePoint())
    /// The points of the way, of each kind that a file has, the most exact first.
    var path: [TimelinePoint] = []
    var measured: [TimelinePoint] = []
    var waypoints: [TimelinePoint] = []
    var stops: [TimelinePoint] = []
    /// The point that it is itself.
    var point: TimelinePoint?
    var device: Int64 = 0
    /// The first thing of it that can't be read.
    private(set) var problem: String?

    init(number: UInt64) { self.number = number }

    mutating func refuse(_ reason: String) { problem = problem ?? reason }

    struct Visit {
        var point = TimelinePoint()
        /// About where one was, if the place's own position is missing.
        var middle = TimelinePoint()
        var placeID = ""
        var name = ""
        var address = ""
        /// "HOME", "TYPE_WORK", "Searched Address".
        var meaning = ""
        var start: TimelineTime?
        var end: TimelineTime?

        var position: Geo.Coordinate? { point.position ?? middle.position }

        /// What it is called: a phone's file has no names but of these two.
        var title: String {
            if !name.isEmpty { return name }
            let meaning = meaning.asciiLowercased
            if meaning.ends(with: "home") { return "Home" }
            if meaning.ends(with: "work") { return "Work" }
            return address
        }
    }

    /// How many positions it has, to bound them.
    var pointCount: Int { path.count + measured.count + waypoints.count + stops.count }

    /// Whether all points of `path` have positions.
    var isPlaced: Bool { path.allSatisfy { $0.position != nil } }

    /// The points of `path` with their times, which may be counted from the start of the entry.
    var timedPath: [ShapePoint] {
        path.compactMap { point in
            guard let position = point.position else { return nil }
            let counted = point.minutes.flatMap { minutes in
                start.flatMap { FileTime.checked($0.milliseconds + minutes * 60_000) }
            }
            return ShapePoint(position, milliseconds: point.milliseconds ?? counted)
        }
    }

    /// From its beginning to its end, by the most exact points that it has; nil for what is no way.
    var way: [ShapePoint]? {
        let inner = [measured, waypoints, stops].first { !$0.isEmpty } ?? []
        var points = inner.compactMap { point in
            point.position.map { ShapePoint($0, milliseconds: point.milliseconds) }
        }
        if let from = ends.from.position, points.first?.position != from { points.insert(ShapePoint(from), at: 0) }
        if let to = ends.to.position, points.last?.position != to { points.append(ShapePoint(to)) }
        guard points.count > 1 else { return nil }
        points[0].milliseconds = points[0].milliseconds ?? start?.milliseconds
        let last = points.count - 1
        points[last].milliseconds = points[last].milliseconds ?? end?.milliseconds
        return points
    }

    /// Whether of the way no more is known than its two ends.
    var isStraight: Bool { measured.isEmpty && waypoints.isEmpty && stops.isEmpty }
}

/// A position as these files write it, piece by piece.
struct TimelinePoint {
    /// Numbers beyond these have run over 32 bits, as in some files of Takeout.
    private static let most = (latitude: 900_000_000.0, longitude: 1_800_000_000.0)
    private static let turn = 4_294_967_296.0

    var position: Geo.Coordinate?
    var milliseconds: Int64?
    /// After the start of its entry.
    var minutes: Int64?
    var accuracyMetres = 0.0
    var heightMetres: Double?
    private var latitude: Double?
    private var longitude: Double?

    /// In degrees times 1e7.
    mutating func set(latitudeE7 value: Double) {
        latitude = value > Self.most.latitude ? value - Self.turn : value
        join()
    }

    mutating func set(longitudeE7 value: Double) {
        longitude = value > Self.most.longitude ? value - Self.turn : value
        join()
    }

    private mutating func join() {
        guard let latitude, let longitude else { return }
        position = try? Geo.Coordinate(latitude: latitude / 1e7, longitude: longitude / 1e7)
    }

    /// "60.1699°, 24.9384°" or "geo:60.1699,24.9384".
    static func position(_ text: String) -> Geo.Coordinate? {
        var text = text.trimmed
        if text.asciiLowercased.begins(with: "geo:") { text = text.dropFirst(4) }
        let plain = text.until(";").until("?")
        return NumberPair.point(String(String.UnicodeScalarView(plain.unicodeScalars.filter { $0.value != 0xB0 })))
            ?? WrittenPoint.written(String(text))
    }
}

/// A moment, and the day on the clock of where it was.
struct TimelineTime {
    /// Since 1970.
    let milliseconds: Int64
    /// Days since 1970; nil where only UTC is known.
    private let localDay: Int64?

    init?(_ text: String) {
        guard let milliseconds = FileTime.milliseconds(text) else { return nil }
        self.milliseconds = milliseconds
        let isLocal = text.utf8.count > 19 && !text.ends(with: "Z") && !text.ends(with: "z")
        let day = isLocal ? FileTime.milliseconds(String(text.unicodeScalars.prefix(10))) : nil
        localDay = day.map(\.floorDay)
    }

    init?(milliseconds text: String) {
        guard let number = Int64(text), let milliseconds = FileTime.checked(number) else { return nil }
        self.milliseconds = milliseconds
        localDay = nil
    }

    /// Days since 1970, on a clock that is so far ahead of UTC where its text says no other one; where neither says it,
    /// on the Sun's clock at `position`, to the hour. Nil beyond the years that texts have.
    func day(offsetMinutes: Int64?, at position: Geo.Coordinate) -> Int64? {
        if let localDay { return localDay }
        let hours = (Double(position.longitudeE7) / 15e7).rounded()
        return FileTime.checked(milliseconds + (offsetMinutes ?? Int64(hours) * 60) * 60_000)?.floorDay
    }

    /// "2026-05-04".
    static func text(day: Int64) -> String {
        String(FileTime.text(day * Int64.dayMilliseconds).unicodeScalars.prefix(10))
    }
}

extension Int64 {
    fileprivate static let dayMilliseconds: Int64 = 86_400_000

    /// Of milliseconds since 1970 the day, also before that.
    var floorDay: Int64 {
        let (day, rest) = quotientAndRemainder(dividingBy: Self.dayMilliseconds)
        return rest < 0 ? day - 1 : day
    }
}
