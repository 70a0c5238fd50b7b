import Geo

/// A place as returned by a live network.
struct FoundPlace: Equatable, Sendable {
    struct Attribute: Equatable, Sendable {
        let key: String
        let value: String
    }

    private static let longestID = 180
    private static let longestName = 1024
    private static let longestText = 2048
    private static let longestCategory = 255
    private static let maximumCategories = 16
    private static let maximumAttributes = 60

    /// The network's own id: "node/1001".
    let id: String
    let name: String
    /// Most specific first, as paths: "amenity/cafe".
    let categories: [String]
    let position: Coordinate
    /// Further attributes from the network.
    let attributes: [Attribute]

    /// Nil for what can't be a place: without id, name or a position on the Earth. Other values that are too long or
    /// too many are left out.
    init?(
        id: String?, name: String?, latitude: Double?, longitude: Double?, categories: [String] = [],
        attributes: [(String, String?)] = []
    ) {
        guard let id, (1...Self.longestID).contains(id.utf8.count), let name,
            (1...Self.longestName).contains(name.utf8.count), let latitude, let longitude,
            let position = try? Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        self.id = id
        self.name = name
        self.position = position
        var seen = Set<String>()
        self.categories = Array(
            categories.filter { $0.utf8.count <= Self.longestCategory && seen.insert($0).inserted }
                .prefix(Self.maximumCategories))
        self.attributes = Array(
            attributes.compactMap { key, value in
                guard let value, !value.isEmpty, key.utf8.count + value.utf8.count <= Self.longestText else {
                    return nil
                }
                return Attribute(key: key, value: value)
            }.prefix(Self.maximumAttributes))
    }
}

/// The form of a place in a snapshot: first what searches by name read, then what answers are made from.
///
///     length of the text (2 bytes, little-endian) | search text | Place message, packed
///
/// The search text is the name and its variants, folded, with single spaces between the words; storing it saves
/// decoding and folding every candidate of a search. The message is appended to answers unchanged.
enum StoredPlace {
    /// Longest search text in bytes: the ten thousand characters of other names that GeoNames has at most fit in any
    /// script. Longer text is cut, and not found by its end.
    static let longestText = 32 << 10
    /// The most bytes before the message.
    static let longestHead = headBytes + longestText
    private static let headBytes = 2

    /// Puts what is kept together in `record`.
    static func write(text: some Collection<UInt8>, to record: inout [UInt8]) {
        let text = text.prefix(longestText)
        record.removeAll(keepingCapacity: true)
        record.append(UInt8(truncatingIfNeeded: text.count))
        record.append(UInt8(truncatingIfNeeded: text.count >> 8))
        record.append(contentsOf: text)
    }

    /// The search text in a record; nil when the record is damaged.
    static func text(of record: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard let end = unsafe textEnd(record) else { return nil }
        return unsafe UnsafeRawBufferPointer(rebasing: record[headBytes..<end])
    }

    /// The packed message in a record; nil when the record is damaged.
    static func message(of record: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard let end = unsafe textEnd(record) else { return nil }
        return unsafe UnsafeRawBufferPointer(rebasing: record[end...])
    }

    private static func textEnd(_ record: UnsafeRawBufferPointer) -> Int? {
        guard record.count >= headBytes else { return nil }
        let end = unsafe headBytes + (Int(record[0]) | Int(record[1]) << 8)
        return end <= record.count ? end : nil
    }
}
