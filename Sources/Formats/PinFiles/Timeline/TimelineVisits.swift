import Bytes
import FeatureFiles
import Geo

/// The places where one was, each once however often: with its last day, and the days before.
struct TimelineVisits {
    /// More are left out, which is said.
    private static let most = 20_000
    /// Bytes of a name, an address and an id: Google's ids have some thirty.
    private static let longestText = 200
    /// Days that a place is known to have been visited on; of more the oldest are only counted.
    private static let mostDays = 20

    fileprivate struct Place {
        let number: UInt64
        let position: Geo.Coordinate
        var name: String
        var address: String
        var count = 0
        /// Days since 1970, the last ones, in their order.
        var days: [Int32] = []

        mutating func add(day: Int64) {
            let day = Int32(clamping: day)
            guard !days.contains(day) else { return }
            days.insert(day, at: days.firstIndex { $0 > day } ?? days.count)
            if days.count > mostDays { days.removeFirst() }
        }
    }

    private var places: [Place] = []
    private var known: [String: Int] = [:]
    /// Visits at places for which there was no room.
    private(set) var leftOutCount = 0

    var count: Int { places.count }

    /// False for a visit that has no position.
    mutating func add(_ visit: TimelineEntry.Visit, of entry: TimelineEntry) -> Bool {
        guard let position = visit.position else { return false }
        let square = "\(position.latitudeE7 / 1_000),\(position.longitudeE7 / 1_000)"
        let id = visit.placeID.isEmpty ? square : visit.placeID
        guard let index = index(id, visit, position, entry.number) else {
            leftOutCount += 1
            return true
        }
        places[index].count += 1
        if places[index].name.isEmpty { places[index].name = Self.cut(visit.title) }
        if places[index].address.isEmpty { places[index].address = Self.cut(visit.address) }
        if let time = visit.start ?? entry.start,
            let day = time.day(offsetMinutes: entry.offsetMinutes, at: position)
        {
            places[index].add(day: day)
        }
        return true
    }

    private mutating func index(
        _ id: String, _ visit: TimelineEntry.Visit, _ position: Geo.Coordinate, _ number: UInt64
    ) -> Int? {
        let id = Self.cut(id)
        if let index = known[id] { return index }
        guard places.count < Self.most else { return nil }
        known[id] = places.count
        places.append(
            Place(number: number, position: position, name: Self.cut(visit.title), address: Self.cut(visit.address)))
        return places.count - 1
    }

    /// One of them as a pin, and the number of its first visit.
    func pin(_ index: Int) -> (record: PinRecord, number: UInt64) {
        let place = places[index]
        var record = PinRecord(position: place.position)
        record.name = place.name
        record.isNamed = !place.name.isEmpty
        record.visitedDay = place.days.last.map { TimelineTime.text(day: Int64($0)) } ?? ""
        record.note = [place.address == place.name ? "" : place.address, place.history]
            .filter { !$0.isEmpty }.joined(separator: "\n")
        record.lists = [.phoneHistory]
        return (record, place.number)
    }

    private static func cut(_ text: String) -> String {
        guard text.utf8.count > longestText else { return text }
        var end = text.utf8.index(text.utf8.startIndex, offsetBy: longestText)
        // Not within a scalar, whose further bytes begin with 10.
        while end > text.utf8.startIndex, text.utf8[end] & 0xc0 == 0x80 { end = text.utf8.index(before: end) }
        return String(text[..<end])
    }
}

extension TimelineVisits.Place {
    /// "2024-05-02, 2024-04-30, … (37)": the days, the newest first, and how many visits there were where these are
    /// not all. Days alone, as a note has no language.
    fileprivate var history: String {
        guard count > 1 else { return "" }
        let texts = days.reversed().map { TimelineTime.text(day: Int64($0)) }
        let all = texts.joined(separator: ", ")
        return count > days.count ? "\(all)\(days.count < 2 ? "" : ", …") (\(count))" : all
    }
}
