import Bytes
import Geo
import OpeningHours
import PlaceContracts
import Refusals
import Synchronization
import Wire

/// The condition that a place is open, or closed, at a moment.
struct OpenCondition: Sendable {
    /// Under one of these attributes sources have hours; the last one ends as the first.
    private static let keys = ["opening_hours", "hours"]
    private static let mark = Array("hours".utf8)

    /// Seconds since 1970.
    let seconds: Int64
    /// Whether the moment is now: pages of one list go on while it moves on.
    let isNow: Bool
    let state: HoursState
    let isUnknownTaken: Bool
    var tables = HoursTables()
    /// Counts what is looked at.
    var tally: OpenTally?

    func accepts(_ record: UnsafeRawBufferPointer) -> Bool {
        let found = unsafe state(of: record)
        tally?.add(found)
        return isWanted(found)
    }

    func isWanted(_ found: HoursState) -> Bool { found == state || isUnknownTaken && found == .unknown }

    func state(of record: UnsafeRawBufferPointer) -> HoursState {
        guard let message = unsafe StoredPlace.message(of: record), unsafe Self.mayHaveHours(message),
            let place = try? unsafe Place(packed: message)
        else { return .unknown }
        return state(of: place)
    }

    func state(of place: Place) -> HoursState {
        guard let value = Self.value(of: place), let hours = OpeningHours(value), let point = place.point,
            let there = tables.place(at: point)?.place
        else { return .unknown }
        return hours.moment(at: seconds, in: there).state
    }

    /// The hours as the source writes them; nil when it has none.
    static func value(of place: Place) -> String? {
        for key in keys {
            let found = place.attributes.first { $0.key.isSame(as: key) }
            if let found { return found.value }
        }
        return nil
    }

    /// Whether a packed place may have hours; most have none, and need not be unpacked to know that.
    static func mayHaveHours(_ message: UnsafeRawBufferPointer) -> Bool {
        guard message.count >= mark.count else { return false }
        for start in 0...message.count - mark.count where unsafe message[start] == mark[0] {
            if unsafe message[start...].starts(with: mark) { return true }
        }
        return false
    }

    func add(to hash: inout StableHash) {
        hash.add(UInt64(bitPattern: isNow ? 0 : seconds))
        hash.add(UInt64(state.rawValue) << 2 | (isUnknownTaken ? 2 : 0) | (isNow ? 1 : 0))
    }
}

extension OpenCondition {
    init(_ request: OpenAt, now: Int64) throws(Refusal) {
        let time = try request.time.map { time throws(Refusal) in try time.seconds(field: "open_at.time") }
        seconds = time ?? now
        isNow = time == nil
        state =
            switch request.state {
            case .closed: .closed
            case .unknown: .unknown
            default: .open
            }
        isUnknownTaken = request.orUnknown
    }
}

extension TimestampMessage {
    fileprivate func seconds(field: String) throws(Refusal) -> Int64 {
        if OpeningHours.instants.contains(seconds) { return seconds }
        throw Refusal(field, "a time of \(seconds) seconds", allowed: "one of the years 1900 to 2200 is")
    }
}

extension Place {
    /// Where it is; nil for no position on the Earth.
    var point: Geo.Coordinate? {
        position.flatMap { try? Geo.Coordinate(latitude: $0.latitude, longitude: $0.longitude) }
    }
}

/// How many places of each state were looked at.
final class OpenTally: Sendable {
    private let counts = Mutex<[HoursState: UInt64]>([:])

    func add(_ state: HoursState) { counts.withLock { $0[state, default: 0] += 1 } }

    var message: OpenCounts {
        counts.withLock {
            OpenCounts(open: $0[.open] ?? 0, closed: $0[.closed] ?? 0, unknown: $0[.unknown] ?? 0)
        }
    }
}
