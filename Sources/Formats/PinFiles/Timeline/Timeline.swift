import FeatureFiles
import Geo

/// Where a phone was, from one file or the many of an archive: visits become places, ways become tracks of months.
final class Timeline {
    static let list = FeatureList(name: "Timeline")
    /// What shows whether a file is one of these is in its first bytes.
    static let headBytes = 4096

    /// What ways come from: measured points, or what Google made of them. An archive may have both, of the same ways.
    private enum Ways { case measured, made }

    private var visits = TimelineVisits()
    private var ways = TimelineWays()
    private var kind: Ways?
    private var hasOtherWays = false
    /// What comes at the end, once it has begun.
    private var nextPlace: Int?
    private var last: ArraySlice<PinFileItem> = []

    /// Takes what an entry says; gives what of it can't be read, and tracks that are complete.
    func add(_ entry: TimelineEntry) -> [PinFileItem] {
        var contents: [PinFileItem.Content] = []
        var isRead = true
        for visit in entry.visits where !visits.add(visit, of: entry) { isRead = false }
        var tracks: [TrackRecord] = []
        if let point = entry.point { isRead = add(point, of: entry, &tracks) && isRead }
        for point in entry.timedPath where isOf(.made) { tracks += ways.add(point) }
        if let way = entry.way, isOf(.made) { tracks += ways.add(way, isStraight: entry.isStraight) }
        contents += tracks.map { .track($0) }
        if let problem = entry.problem {
            contents.append(.bad(problem))
        } else if !isRead {
            contents.append(.bad("position: it is missing, or is none on the Earth"))
        }
        return contents.map { PinFileItem(number: entry.number, content: $0) }
    }

    /// False for a point whose position or time can't be read.
    private func add(_ point: TimelinePoint, of entry: TimelineEntry, _ tracks: inout [TrackRecord]) -> Bool {
        guard let position = point.position, point.milliseconds != nil else { return false }
        guard isOf(.measured) else { return true }
        let height = point.heightMetres.flatMap { ShapePoint.centimetres($0) }
        tracks += ways.add(
            ShapePoint(position, heightCentimetres: height, milliseconds: point.milliseconds), device: entry.device,
            accuracyMetres: point.accuracyMetres)
        return true
    }

    private func isOf(_ wanted: Ways) -> Bool {
        if kind == nil { kind = wanted }
        if kind != wanted { hasOtherWays = true }
        return kind == wanted
    }

    /// What is left when all entries are there, one after the other; nil behind the last.
    func next() -> PinFileItem? {
        if nextPlace == nil {
            nextPlace = 0
            last = (ways.finish().map { .track($0) } + notices).map { PinFileItem(number: 0, content: $0) }[...]
        }
        if let item = last.popFirst() { return item }
        guard let place = nextPlace, place < visits.count else { return nil }
        nextPlace = place + 1
        let (record, number) = visits.pin(place)
        return PinFileItem(number: number, content: .pin(record))
    }

    private var notices: [PinFileItem.Content] {
        var notices: [PinFileItem.Content] = []
        if hasOtherWays { notices.append(.bad("ways that another file of the archive has too are left out")) }
        if visits.leftOutCount > 0 {
            notices.append(.bad("\(visits.leftOutCount) visits are left out: \(visits.count) places are the limit"))
        }
        return notices
    }
}
