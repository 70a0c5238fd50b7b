import Contracts
import Geo
import Wire

/// Puts hits together as a NearbyResponse or a WithinResponse.
///
/// Places are stored packed, so an answer is mostly copied from the mapped file. Here alone bytes of a message are
/// appended by hand (https://protobuf.dev/programming-guides/encoding):
///
///     0x0a | length (varint) | Place as stored | 0x79 | distance (8 bytes)      for each hit
///     ↑ field 1, with length                     ↑ field 15 of Place, fixed 64 bits
///
/// followed by the response's other fields as protobuf-c packs them. Fields of a message go out in ascending order, so
/// the bytes are those that protobuf-c would have packed.
struct PlacesAnswer {
    /// Places that would make an answer longer are left for the next page; one place is always given.
    static let longestPlaces = 2 << 20
    private static let placesTag: UInt8 = 0x0a
    private static let distanceTag: UInt8 = 0x79
    private static let distanceBytes = 9
    /// What a place in a city takes, with its tags.
    private static let usualPlaceBytes = 256

    let set: SnapshotSet
    let mask: FieldMask
    /// Places in order of their ids have no distance.
    var hasDistances = true

    /// The packed answer, and how many of the hits are in it.
    func places(_ hits: [Hit]) throws -> (bytes: [UInt8], count: Int) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(hits.count * Self.usualPlaceBytes + 64)
        for (index, hit) in hits.enumerated() {
            let start = bytes.count
            try append(hit, to: &bytes)
            if bytes.count > Self.longestPlaces, index > 0 {
                bytes.removeSubrange(start...)
                return (bytes, index)
            }
        }
        return (bytes, hits.count)
    }

    /// A hit as a message.
    func place(_ hit: Hit) throws -> Place {
        var place = try unsafe set.withPlace(hit) { id, record in
            guard let message = unsafe StoredPlace.message(of: record) else { throw unsafe Self.damaged(id) }
            do {
                return try unsafe Place(packed: message)
            } catch {
                throw unsafe Self.damaged(id)
            }
        }
        if hasDistances { place.distanceM = hit.metres }
        return mask.apply(place)
    }

    private func append(_ hit: Hit, to bytes: inout [UInt8]) throws {
        guard mask.isEverything else { return Self.append(try place(hit).packedBytes(), to: &bytes) }
        try unsafe set.withPlace(hit) { id, record in
            guard let message = unsafe StoredPlace.message(of: record) else { throw unsafe Self.damaged(id) }
            Self.appendHead(message.count + (hasDistances ? Self.distanceBytes : 0), to: &bytes)
            unsafe bytes.append(contentsOf: message)
            guard hasDistances else { return }
            bytes.append(Self.distanceTag)
            unsafe withUnsafeBytes(of: hit.metres.bitPattern.littleEndian) { unsafe bytes.append(contentsOf: $0) }
        }
    }

    private static func append(_ place: [UInt8], to bytes: inout [UInt8]) {
        appendHead(place.count, to: &bytes)
        bytes.append(contentsOf: place)
    }

    private static func appendHead(_ byteCount: Int, to bytes: inout [UInt8]) {
        bytes.append(placesTag)
        var rest = byteCount
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    private static func damaged(_ id: UnsafeRawBufferPointer) -> PlacesError {
        .damaged(what: "the record of \(unsafe String(decoding: id, as: UTF8.self))")
    }
}
