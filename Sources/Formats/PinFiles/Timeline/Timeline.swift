import FeatureFiles
import Geo

/// Where a phone was, from one file or the many of an archive: visits become places, ways become tracks of months.
final class Timeline {
    /// What shows whether a file is one of these is in its first bytes.
    static let headBytes = 4096
    /// A phone that is measured each minute has five million in ten years.
    private static let mostEntries = 10_000_000
    private static let mostBad = 100_000
    /// Names, values, beginnings and ends of the text: of three gigabytes of a true file some 300 million.
    private static let mostEvents: UInt64 = 400_000_000

    private var visits = TimelineVisits()
    private var ways = TimelineWays()
    private var (entryCount, badCount) = (0, 0)
    private var eventCount: UInt64 = 0
    /// What comes at the end, once it has begun.
    private var nextPlace: Int?
    private var notices: ArraySlice<PinFileItem.Content> = []

    /// Takes what an entry says; gives what of it can't be read, and tracks that are complete.
    func add(_ entry: TimelineEntry) -> [PinFileItem] {
        entryCount += 1
        var isPlaced = true
        for visit in entry.visits where !visits.add(visit, of: entry) { isPlaced = false }
        var tracks: [TrackRecord] = []
        var isTimed = true
        if let point = entry.point {
            if let position = point.position {
                isTimed = add(point, position, of: entry, &tracks)
            } else {
                isPlaced = false
            }
        }
        for point in entry.timedPath { isTimed = ways.add(point, &tracks) && isTimed }
        if let way = entry.way { isTimed = ways.add(way, isStraight: entry.isStraight, &tracks) && isTimed }
        var contents = tracks.map { PinFileItem.Content.track($0) }
        if let problem = entry.problem ?? Self.problem(isPlaced: isPlaced && entry.isPlaced, isTimed: isTimed) {
            badCount += 1
            contents.append(.bad(problem))
        }
        return contents.map { PinFileItem(number: entry.number, content: $0) }
    }

    private static func problem(isPlaced: Bool, isTimed: Bool) -> String? {
        if !isPlaced { return "position: it is missing, or is none on the Earth" }
        return isTimed ? nil : "time: it is missing, or can't be read"
    }

    /// False for a measured point without a time.
    private func add(
        _ point: TimelinePoint, _ position: Geo.Coordinate, of entry: TimelineEntry, _ tracks: inout [TrackRecord]
    ) -> Bool {
        let height = point.heightMetres.flatMap { ShapePoint.centimetres($0) }
        return ways.add(
            ShapePoint(position, heightCentimetres: height, milliseconds: point.milliseconds), device: entry.device,
            accuracyMetres: point.accuracyMetres, &tracks)
    }

    func count(events: UInt64) { eventCount += events }

    /// Why no more is read, of this file and of all others of an archive; nil while there is room. Bytes alone don't
    /// bound the work: three of them are an entry.
    var fullness: String? {
        if entryCount >= Self.mostEntries { return "it has more than \(Self.mostEntries) entries" }
        if eventCount >= Self.mostEvents { return "it has more than \(Self.mostEvents) names and values" }
        return badCount >= Self.mostBad ? "\(Self.mostBad) entries can't be read" : nil
    }

    /// What is left when all entries are there, one after the other; nil behind the last.
    func next() -> PinFileItem? {
        if let track = ways.next() { return PinFileItem(number: 0, content: .track(track)) }
        if nextPlace == nil { (nextPlace, notices) = (0, lastNotices[...]) }
        if let notice = notices.popFirst() { return PinFileItem(number: 0, content: notice) }
        guard let place = nextPlace, place < visits.count else { return nil }
        nextPlace = place + 1
        let (record, number) = visits.pin(place)
        return PinFileItem(number: number, content: .pin(record))
    }

    private var lastNotices: [PinFileItem.Content] {
        var notices: [PinFileItem.Content] = []
        if ways.hasOthers { notices.append(.bad("ways that another file of the archive has too are left out")) }
        if visits.leftOutCount > 0 {
            notices.append(.bad("\(visits.leftOutCount) visits are left out: \(visits.count) places are the limit"))
        }
        return notices
    }
}
