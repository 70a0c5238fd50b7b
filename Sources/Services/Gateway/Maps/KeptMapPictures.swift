import Crypto
import MapPicture

/// A picture of the map that was drawn.
struct KeptMapPicture: Equatable, Sendable {
    let png: [UInt8]
    let attribution: String
    /// 64 hexadecimal digits in lower case.
    let sha256: String
}

extension KeptMapPicture {
    init(_ picture: MapPicture) {
        self.init(
            png: picture.png, attribution: picture.attribution,
            sha256: CachedPictureFacts.text(SHA256.digest(picture.png)))
    }
}

/// What a picture shows: a view, and which editions of the maps of datasets.
struct MapSubject: Hashable, Sendable {
    let view: MapView
    var sets: [MapTileSet] = []
}

/// The pictures that were used last, as many as there is room for.
struct KeptMapPictures: Sendable {
    private struct Entry {
        let picture: KeptMapPicture
        var lastUse: Int
    }

    /// The most bytes of all PNGs together.
    private let limitBytes: Int
    private var entries: [MapSubject: Entry] = [:]
    private var uses = 0
    private(set) var usedBytes = 0

    init(limitBytes: Int = 16 << 20) { self.limitBytes = limitBytes }

    /// The picture of a subject, which counts as just used.
    mutating func use(_ subject: MapSubject) -> KeptMapPicture? {
        uses += 1
        entries[subject]?.lastUse = uses
        return entries[subject]?.picture
    }

    /// Keeps a picture in place of those that were not used the longest. One that is larger than the room is not kept.
    mutating func add(_ picture: KeptMapPicture, of subject: MapSubject) {
        remove(subject)
        guard picture.png.count <= limitBytes else { return }
        while usedBytes + picture.png.count > limitBytes,
            let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
        {
            remove(oldest)
        }
        uses += 1
        entries[subject] = Entry(picture: picture, lastUse: uses)
        usedBytes += picture.png.count
    }

    private mutating func remove(_ subject: MapSubject) {
        if let entry = entries.removeValue(forKey: subject) { usedBytes -= entry.picture.png.count }
    }
}
