import Compression
import FoundationEssentials

/// A tile of the streets with what its server said of it, as it is kept in a file: a line of facts, then its bytes.
struct KeptTile: Sendable, Equatable {
    struct Facts: Codable, Sendable, Equatable {
        /// The edition of the map that it is from.
        var edition = ""
        /// By which the server knows whether it has changed; empty when it gave none.
        var tag = ""
        var modified = ""
        /// Until when it is shown without asking, in milliseconds since 1970.
        var expires: Int64 = 0
        /// When the server gave it, or said that it is still the same; an earlier program did not keep that.
        var fetched: Int64?
        /// How many bytes follow, and their CRC-32.
        var count = 0
        var sum: UInt32 = 0
    }

    /// The longest first line of a file.
    private static let longestFacts = 2_000
    /// Without anything on it, and from no server.
    static let nothing = KeptTile([], Facts())

    var facts: Facts
    /// In gzip; empty where the map has nothing.
    let packed: [UInt8]

    init(_ packed: [UInt8], _ facts: Facts) {
        self.packed = packed
        self.facts = facts
        self.facts.count = packed.count
        self.facts.sum = Self.sum(packed[...])
    }

    /// Tells its bytes from others.
    var version: String { String(facts.sum, radix: 36) }

    /// Nil for a file that is damaged, as after a power cut.
    init?(file bytes: [UInt8]) {
        guard let end = bytes.prefix(Self.longestFacts).firstIndex(of: UInt8(ascii: "\n")),
            let facts = try? JSONDecoder().decode(Facts.self, from: Data(bytes[..<end]))
        else { return nil }
        let rest = bytes[(end + 1)...]
        guard rest.count == facts.count, Self.sum(rest) == facts.sum else { return nil }
        self.facts = facts
        packed = Array(rest)
    }

    /// What `init(file:)` reads.
    var fileBytes: [UInt8] {
        let line = (try? JSONEncoder().encode(facts)).map { Array($0) } ?? []
        return line + [UInt8(ascii: "\n")] + packed
    }

    private static func sum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        var sum = RunningCRC32()
        sum.update(bytes)
        return sum.value
    }
}
