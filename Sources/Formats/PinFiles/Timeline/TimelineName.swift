import Bytes

/// Members of Google's files of where a phone was, as far as they say something here.
///
///     a phone of Android   { "semanticSegments": [ { "startTime", "visit" or "activity" or "timelinePath" } ] }
///     an iPhone            the same elements as an array, positions as "geo:60.17,24.94", numbers as texts
///     Takeout, until 2024  { "timelineObjects": [ { "placeVisit" or "activitySegment" } ] }, a file for each month
///                          { "locations": [ { "latitudeE7", "longitudeE7", "timestamp" or "timestampMs" } ] }
///
/// Google describes none of them; these are the shapes that people show in reports to other programs.
enum TimelineName: String, CaseIterable {
    case semanticSegments, timelineObjects, locations
    /// Beside the segments, perhaps before them; what is in these is passed over.
    case rawSignals, userLocationProfile, timelineMemory
    case startTime, endTime, startTimeTimezoneUtcOffsetMinutes
    case visit, topCandidate, placeLocation, latLng, semanticType, placeId, placeID
    case activity, start, end
    case timelinePath, point, time, durationMinutesOffsetFromStartTime
    case placeVisit, childVisits, location, name, address, centerLatE7, centerLngE7
    case duration, startTimestamp, startTimestampMs, endTimestamp, endTimestampMs
    case activitySegment, startLocation, endLocation
    case waypointPath, waypoints, simplifiedRawPath, points, transitPath, transitStops
    case latitudeE7, longitudeE7, latE7, lngE7, timestamp, timestampMs
    case accuracy, accuracyMeters, altitude, deviceTag

    /// By their texts: there are millions to look up in a file.
    static let all = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// Whether a text that begins so is one of these files.
    static func isTimeline(_ head: String) -> Bool {
        func has(_ name: TimelineName) -> Bool { head.holds("\"\(name.rawValue)\"") }
        guard !head.holds("\"FeatureCollection\""), !head.holds("\"features\""), !head.holds("\"Feature\"") else {
            return false
        }
        let outermost: [TimelineName] = [.semanticSegments, .timelineObjects, .rawSignals, .userLocationProfile]
        if outermost.contains(where: has) { return true }
        if has(.locations) { return has(.latitudeE7) }
        let kinds: [TimelineName] = [.visit, .activity, .timelinePath, .timelineMemory]
        return has(.startTime) && has(.endTime) && kinds.contains(where: has)
    }
}
