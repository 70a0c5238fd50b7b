import Bytes
import FeatureFiles
import Geo
import JSONStream
import Refusals

/// Picks the entries out of a file of where a phone was as its text goes by. Every object and array that is open and
/// says something has its meaning on a stack; of what else is open only the depth is kept.
final class TimelineVisitor: JSONVisitor {
    private enum Level {
        case document, list, entry
        case visit, candidate, place, activity, start, end, path, pathPoint
        case placeVisit, children, location, visitTime
        case segment, segmentTime, waypointPath, waypoints, waypoint, rawPath, rawPoints, rawPoint, transit, stops, stop
    }

    private static let deepest = 64
    /// Bytes of a name that is looked up, and of a text that is kept.
    private static let longestName = 40
    private static let longestText = 1 << 10
    private static let mostVisits = 1_000
    private static let mostPoints = Feature.maximumPositions
    /// So many minutes are a hundred years.
    private static let mostMinutes = 52_560_000.0
    /// No clock is further from UTC.
    private static let mostOffsetMinutes = 1_080.0

    /// Entries that are complete and not fetched yet.
    private var entries: [TimelineEntry] = []
    private(set) var count: UInt64 = 0
    /// Whether a list of them was seen.
    private(set) var hasList = false
    private(set) var failure: String?
    /// Events so far, to notice a text that never ends a value.
    private(set) var events: UInt64 = 0

    private var levels: [Level] = []
    /// Open objects and arrays inside of the first one that says nothing.
    private var ignored = 0
    private var key: TimelineName?
    private var entry = TimelineEntry(number: 1)
    private var point = TimelinePoint()
    /// The visits that are open, by their place in the entry.
    private var open: [Int] = []

    /// Hands over what is complete.
    func takeEntries() -> [TimelineEntry] {
        defer { entries.removeAll(keepingCapacity: true) }
        return entries
    }

    func key(_ bytes: UnsafeRawBufferPointer) -> Bool {
        events += 1
        guard ignored == 0 else { return true }
        key = bytes.count <= Self.longestName ? TimelineName.all[unsafe String(decoding: bytes, as: UTF8.self)] : nil
        return true
    }

    func startObject() -> Bool { start(ignored > 0 ? nil : object) }
    func startArray() -> Bool { start(ignored > 0 ? nil : array) }

    private func start(_ level: Level?) -> Bool {
        events += 1
        guard levels.count + ignored < Self.deepest else {
            failure = "it has more than \(Self.deepest) levels"
            return false
        }
        guard let level else {
            ignored += 1
            return true
        }
        levels.append(level)
        switch level {
        case .list: hasList = true
        case .entry: entry = TimelineEntry(number: count + 1)
        case .pathPoint, .waypoint, .rawPoint, .stop: point = TimelinePoint()
        case .visit, .placeVisit:
            entry.visits.append(TimelineEntry.Visit())
            if entry.visits.count == Self.mostVisits {
                entry.refuse("it has \(Self.mostVisits) visits; no more are read")
            }
            open.append(entry.visits.count - 1)
        default: break
        }
        return true
    }

    /// What an object is that begins; nil for one that says nothing.
    private var object: Level? {
        switch (levels.last, key) {
        case (nil, _): .document
        case (.list, _): .entry
        case (.path, _): .pathPoint
        // However many there are of a member.
        case (.children, _), (.entry, .placeVisit): entry.visits.count < Self.mostVisits ? .placeVisit : nil
        case (.entry, .visit): entry.visits.count < Self.mostVisits ? .visit : nil
        case (.waypoints, _): .waypoint
        case (.rawPoints, _): .rawPoint
        case (.stops, _): .stop
        case (.visit, .topCandidate): .candidate
        case (.candidate, .placeLocation): .place
        case (.entry, .activity): .activity
        case (.activity, .start): .start
        case (.activity, .end): .end
        case (.placeVisit, .location): .location
        case (.placeVisit, .duration): .visitTime
        case (.entry, .activitySegment): .segment
        case (.segment, .startLocation): .start
        case (.segment, .endLocation): .end
        case (.segment, .duration): .segmentTime
        case (.segment, .waypointPath): .waypointPath
        case (.segment, .simplifiedRawPath): .rawPath
        case (.segment, .transitPath): .transit
        default: nil
        }
    }

    private var array: Level? {
        switch (levels.last, key) {
        case (nil, _), (.document, .semanticSegments), (.document, .timelineObjects), (.document, .locations): .list
        case (.entry, .timelinePath): .path
        case (.placeVisit, .childVisits): .children
        case (.waypointPath, .waypoints): .waypoints
        case (.rawPath, .points): .rawPoints
        case (.transit, .transitStops): .stops
        default: nil
        }
    }

    func endArray() -> Bool { endObject() }

    func endObject() -> Bool {
        events += 1
        if ignored > 0 {
            ignored -= 1
            return true
        }
        switch levels.popLast() {
        case .entry:
            entries.append(entry)
            count += 1
        case .visit, .placeVisit: _ = open.popLast()
        case .pathPoint: add(to: \.path)
        case .waypoint: add(to: \.waypoints)
        case .rawPoint: add(to: \.measured)
        case .stop: add(to: \.stops)
        default: break
        }
        return true
    }

    private func add(to points: WritableKeyPath<TimelineEntry, [TimelinePoint]>) {
        guard entry.pointCount < Self.mostPoints else {
            return entry.refuse("it has more than \(Self.mostPoints) positions")
        }
        entry[keyPath: points].append(point)
    }

    func literal(_ literal: JSONLiteral) -> Bool {
        events += 1
        return true
    }

    func number(_ bytes: UnsafeRawBufferPointer) -> Bool { unsafe string(bytes) }

    /// Numbers are texts in some of these files.
    func string(_ bytes: UnsafeRawBufferPointer) -> Bool {
        events += 1
        guard ignored == 0, let key, let level = levels.last else { return true }
        switch level {
        case .entry: unsafe takeEntry(key, bytes)
        case .candidate, .place, .location, .placeVisit, .visitTime: unsafe takeVisit(key, bytes)
        case .activity:
            let position = key == .start || key == .end ? unsafe position(bytes, "activity.\(key.rawValue)") : nil
            if key == .start { entry.ends.from.position = position }
            if key == .end { entry.ends.to.position = position }
        // Copies, as what is found wrong is noted in the entry meanwhile.
        case .start, .end:
            var ends = entry.ends
            if level == .start { unsafe takePoint(key, bytes, &ends.from) }
            if level == .end { unsafe takePoint(key, bytes, &ends.to) }
            entry.ends = ends
        case .segmentTime:
            var (start, end) = (entry.start, entry.end)
            unsafe takeTime(key, bytes, &start, &end)
            (entry.start, entry.end) = (start, end)
        case .pathPoint, .waypoint, .rawPoint, .stop: unsafe takePoint(key, bytes, &point)
        default: break
        }
        return true
    }

    private func takeEntry(_ key: TimelineName, _ bytes: UnsafeRawBufferPointer) {
        switch key {
        case .startTime: entry.start = unsafe TimelineTime(text(bytes))
        case .endTime: entry.end = unsafe TimelineTime(text(bytes))
        case .startTimeTimezoneUtcOffsetMinutes: entry.offsetMinutes = unsafe minutes(bytes, Self.mostOffsetMinutes)
        case .deviceTag: entry.device = unsafe Int64(text(bytes)) ?? 0
        case .latitudeE7, .longitudeE7, .timestamp, .timestampMs, .accuracy, .altitude:
            var point = entry.point ?? TimelinePoint()
            unsafe takePoint(key, bytes, &point)
            entry.point = point
        default: break
        }
    }

    private func takeVisit(_ key: TimelineName, _ bytes: UnsafeRawBufferPointer) {
        guard let index = open.last, entry.visits.indices.contains(index) else { return }
        var visit = entry.visits[index]
        switch key {
        case .placeLocation, .latLng: visit.point.position = unsafe position(bytes, "placeLocation")
        case .latitudeE7, .longitudeE7: unsafe takePoint(key, bytes, &visit.point)
        case .centerLatE7: unsafe takePoint(.latitudeE7, bytes, &visit.middle)
        case .centerLngE7: unsafe takePoint(.longitudeE7, bytes, &visit.middle)
        case .placeId, .placeID: visit.placeID = unsafe text(bytes)
        case .name: visit.name = unsafe text(bytes)
        case .address: visit.address = unsafe text(bytes)
        case .semanticType: visit.meaning = unsafe text(bytes)
        default: unsafe takeTime(key, bytes, &visit.start, &visit.end)
        }
        entry.visits[index] = visit
    }

    private func takePoint(_ key: TimelineName, _ bytes: UnsafeRawBufferPointer, _ point: inout TimelinePoint) {
        switch key {
        case .latitudeE7, .latE7: if let number = unsafe number(bytes) { point.set(latitudeE7: number) }
        case .longitudeE7, .lngE7: if let number = unsafe number(bytes) { point.set(longitudeE7: number) }
        case .point, .latLng: point.position = unsafe position(bytes, key.rawValue)
        case .time, .timestamp: point.milliseconds = unsafe FileTime.milliseconds(text(bytes))
        case .timestampMs: point.milliseconds = unsafe TimelineTime(milliseconds: text(bytes))?.milliseconds
        case .durationMinutesOffsetFromStartTime: point.minutes = unsafe minutes(bytes)
        case .accuracy, .accuracyMeters: point.accuracyMetres = unsafe number(bytes) ?? 0
        case .altitude: point.heightMetres = unsafe number(bytes)
        default: break
        }
    }

    private func takeTime(
        _ key: TimelineName, _ bytes: UnsafeRawBufferPointer, _ start: inout TimelineTime?, _ end: inout TimelineTime?
    ) {
        switch key {
        case .startTimestamp: start = unsafe TimelineTime(text(bytes))
        case .startTimestampMs: start = unsafe TimelineTime(milliseconds: text(bytes))
        case .endTimestamp: end = unsafe TimelineTime(text(bytes))
        case .endTimestampMs: end = unsafe TimelineTime(milliseconds: text(bytes))
        default: break
        }
    }

    /// Nil for what is none, which is noted in the entry: that must not be open for a change.
    private func position(_ bytes: UnsafeRawBufferPointer, _ field: String) -> Geo.Coordinate? {
        let text = unsafe text(bytes)
        let position = TimelinePoint.position(text)
        if position == nil, !text.isEmpty { entry.refuse("\(field): \(text.quoted) is no position") }
        return position
    }

    private func number(_ bytes: UnsafeRawBufferPointer) -> Double? {
        unsafe DecimalNumber.parse(bytes.bindMemory(to: UInt8.self).span)
    }

    private func minutes(_ bytes: UnsafeRawBufferPointer, _ most: Double = TimelineVisitor.mostMinutes) -> Int64? {
        guard let number = unsafe number(bytes), number.magnitude <= most else { return nil }
        return Int64(number.rounded())
    }

    /// Its beginning, where it is long.
    private func text(_ bytes: UnsafeRawBufferPointer) -> String {
        unsafe String(decoding: bytes.prefix(Self.longestText), as: UTF8.self).streamSafe
    }
}
