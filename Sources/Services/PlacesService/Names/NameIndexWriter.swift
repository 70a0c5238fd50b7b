import EventLoops
import Files
import Geo
import Texts

/// Makes the indexes of many names: one for each million, in files beside each other, so that it takes the memory of
/// one.
struct NameIndexWriter {
    /// How the names of the files end.
    static let ending = ".names"

    /// Where the files go; nil for indexes in memory.
    private let path: String?
    private let source: UInt64
    private var builder = NameIndexBuilder()
    private var parts: [NameIndex] = []

    /// - Parameter path: the files are named after it.
    /// - Parameter source: what the names are of.
    init(path: String?, source: UInt64) {
        self.path = path
        self.source = source
    }

    /// Adds a folded name of an item; all names of one follow each other. Blocks when a part is full.
    mutating func add(
        _ folded: [UInt8], item: UInt32, points: Double, of subject: NameSubject = .thing
    ) throws {
        if builder.isFull { try endPart(isLast: false) }
        builder.add(folded, item: item, points: points, of: subject)
    }

    /// An index in memory of the streets and postcodes of some addresses, whose items are their places in the list; nil
    /// without any.
    static func memory(of addresses: [Address]) throws -> NameIndex? {
        var builder = NameIndexBuilder()
        for (item, address) in addresses.enumerated() {
            for name in AddressNames(address).all {
                builder.add(
                    FoldedText(name.text).bytes, item: UInt32(item), points: AddressNames.points, of: name.subject)
            }
        }
        return builder.count == 0 ? nil : try NameIndex(memory: builder.bytes(of: 0))
    }

    /// Writes the last part. Blocks.
    consuming func finish() throws -> [NameIndex] {
        try endPart(isLast: true)
        return parts
    }

    private mutating func endPart(isLast: Bool) throws {
        let bytes = builder.bytes(of: source, isLast: isLast)
        builder = NameIndexBuilder()
        parts.append(try stored(bytes))
    }

    /// A full disk is no reason to find nothing: what can't be written stays in memory.
    private func stored(_ bytes: [UInt8]) throws -> NameIndex {
        guard let path else { return try NameIndex(memory: bytes) }
        let file = Self.file(parts.count, of: path)
        do {
            try DiskFile.replace(file, with: bytes)
            return try NameIndex(path: file, of: source)
        } catch {
            return try NameIndex(memory: bytes)
        }
    }

    /// Opens the files that were written for `source`; nil when they are not all there. Blocks.
    static func open(path: String, source: UInt64) -> [NameIndex]? {
        var parts: [NameIndex] = []
        while true {
            guard let part = try? NameIndex(path: file(parts.count, of: path), of: source) else { return nil }
            parts.append(part)
            if part.isLast { return parts }
        }
    }

    private static func file(_ part: Int, of path: String) -> String { "\(path).\(part)\(ending)" }
}
