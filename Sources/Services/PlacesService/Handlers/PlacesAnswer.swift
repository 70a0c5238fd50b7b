import Bytes
import PlaceContracts
import Geo
import Wire

/// Assembles hits into a NearbyResponse or a WithinResponse.
///
/// Places are stored packed, so an answer is mostly copied from the mapped file. Only here, and in a `BytesField`, are
/// bytes of a message appended by hand (https://protobuf.dev/programming-guides/encoding):
///
///     0x0a | length (varint) | Place as stored | 0x79 | distance (8 bytes)      for each hit
///     ↑ field 1, with length                     ↑ field 15 of Place, fixed 64 bits
///
/// behind it, if they are asked for, the hours as field 17,
/// followed by the response's other fields as protobuf-c packs them. Fields of a message go out in ascending order, so
/// the bytes are those that protobuf-c would have packed.
struct PlacesAnswer {
    /// Places that would make an answer longer are left for the next page; at least one place is always returned.
    static let longestPlaces = 2 << 20
    private static let places = BytesField(1)
    private static let hours = BytesField(17)
    private static let distanceTag: UInt8 = 0x79
    private static let distanceBytes = 9
    /// The typical size of a place in a city, with its tags.
    private static let typicalPlaceBytes = 256

    let set: SnapshotSet
    let mask: FieldMask
    /// Places in order of their ids have no distance.
    var hasDistances = true
    /// Nil: hours are not asked for.
    var hours: HoursAnswer?

    /// The packed answer to the last search with this scratch, and how many of its hits are in it.
    /// - Parameter checkpoint: is asked before each place whose hours are evaluated.
    func places(
        _ scratch: SearchScratch, _ checkpoint: (Int) throws -> Void
    ) throws -> (bytes: [UInt8], count: Int) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(scratch.hits.count * Self.typicalPlaceBytes + 64)
        var (count, isFull) = (0, false)
        try unsafe set.forEachPlace(scratch) { hit, id, record in
            if isFull { return }
            if hours != nil { try checkpoint(0) }
            let start = bytes.count
            try unsafe append(hit, id, record, to: &bytes)
            isFull = bytes.count > Self.longestPlaces && count > 0
            if isFull { bytes.removeSubrange(start...) } else { count += 1 }
        }
        return (bytes, count)
    }

    /// A hit as a message.
    func place(_ hit: Hit) throws -> Place {
        try unsafe set.withPlace(hit) { id, record in try unsafe place(hit, id, record) }
    }

    private func place(_ hit: Hit, _ id: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws -> Place {
        guard let message = unsafe StoredPlace.message(of: record), var place = try? unsafe Place(packed: message)
        else {
            throw unsafe Self.damaged(id)
        }
        if hasDistances { place.distanceM = hit.metres }
        place.hours = hours?.hours(of: place)
        return mask.apply(place)
    }

    private func append(
        _ hit: Hit, _ id: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer, to bytes: inout [UInt8]
    ) throws {
        guard mask.isEverything else {
            return Self.append(try unsafe place(hit, id, record).packedBytes(), to: &bytes)
        }
        guard let message = unsafe StoredPlace.message(of: record) else { throw unsafe Self.damaged(id) }
        let hours = try unsafe hours(message)
        Self.places.appendHead(message.count + (hasDistances ? Self.distanceBytes : 0) + hours.count, to: &bytes)
        defer { bytes += hours }
        unsafe bytes.append(contentsOf: message)
        guard hasDistances else { return }
        bytes.append(Self.distanceTag)
        unsafe withUnsafeBytes(of: hit.metres.bitPattern.littleEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    /// The field with the hours of a packed place; empty when they are not asked for, or it has none.
    private func hours(_ message: UnsafeRawBufferPointer) throws -> [UInt8] {
        guard let hours, unsafe OpenCondition.mayHaveHours(message),
            let found = hours.hours(of: try unsafe Place(packed: message))
        else { return [] }
        let packed = found.packedBytes()
        var bytes: [UInt8] = []
        Self.hours.appendHead(packed.count, to: &bytes)
        return bytes + packed
    }

    private static func append(_ place: [UInt8], to bytes: inout [UInt8]) {
        places.appendHead(place.count, to: &bytes)
        bytes.append(contentsOf: place)
    }

    private static func damaged(_ id: UnsafeRawBufferPointer) -> PlacesError {
        .damaged(what: "the record of \(unsafe String(decoding: id, as: UTF8.self))")
    }
}

/// The fields of a place that an answer contains.
struct FieldMask: Sendable {
    /// What a mark on the map shows.
    static let ofMarks = FieldMask(wanted: ["name", "categories"])

    /// Nil: all.
    private let wanted: Set<String>?

    private init(wanted: Set<String>) { self.wanted = wanted }

    init(_ fields: [String]) {
        wanted = fields.isEmpty ? nil : Set(fields)
    }

    /// Whether places are returned as they are stored.
    var isEverything: Bool { wanted == nil }

    /// Whether it names the hours, which are not stored.
    var hasHours: Bool { wanted?.contains { $0.isSame(as: "hours") } ?? false }

    /// The place with only the requested fields.
    func apply(_ place: Place) -> Place {
        guard let wanted else { return place }
        var kept = Place(id: place.id)
        if wanted.contains(where: { $0 == "name" }) { kept.name = place.name }
        if wanted.contains(where: { $0 == "categories" }) { kept.categories = place.categories }
        if wanted.contains(where: { $0 == "position" }) { kept.position = place.position }
        if wanted.contains(where: { $0 == "attributes" }) { kept.attributes = place.attributes }
        if wanted.contains(where: { $0 == "distance_m" }) { kept.distanceM = place.distanceM }
        if hasHours { kept.hours = place.hours }
        return kept
    }
}
