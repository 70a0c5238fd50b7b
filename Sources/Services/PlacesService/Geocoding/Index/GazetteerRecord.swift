import Bytes
import Geo
import Glibc

/// A country, a first-level region or a town.
struct GazetteerRecord: Equatable, Sendable {
    enum Kind: UInt8, Sendable { case country, region, town }

    /// The number that means "no region".
    static let noRegion = UInt16.max

    let kind: Kind
    let position: Geo.Coordinate
    /// How many people live there; 0 when not counted.
    let population: UInt32
    /// GeoNames' number of a town; 0 for others.
    let sourceID: UInt32
    /// The record of its country; a country's own.
    let country: UInt16
    /// The record of its region; a region's own; `noRegion` for none.
    let region: UInt16
    /// The range of its name in the texts.
    let name: Range<Int>
    /// ISO 3166-1 alpha-2 code of a country as two bytes, the first one lowest; 0 for others.
    let code: UInt16
}

/// Which record a name leads to, and what kind of name it is.
struct GazetteerTarget: Equatable, Sendable {
    enum Quality: UInt32, Sendable {
        /// The name that the record goes by.
        case main
        /// Another name, mostly in another language.
        case other
        /// Letters for it: "FI", "FIN", "WA". Names by itself only in capitals.
        case code
    }

    /// The bits above hold the quality.
    static let maximumRecords = 1 << 30

    let record: UInt32
    let quality: Quality

    init(record: UInt32, quality: Quality) {
        self.record = record
        self.quality = quality
    }

    /// Takes 30 bits of a record's number and two of the quality; nil when that is none.
    init?(packed: UInt32) {
        guard let quality = Quality(rawValue: packed >> 30) else { return nil }
        self.init(record: packed & 0x3FFF_FFFF, quality: quality)
    }

    var packed: UInt32 { quality.rawValue << 30 | record }
}

/// How a name is looked up: folded, and without its blanks, so that "St. John's" is found as "st johns" too.
enum NameKey {
    private static let space = UInt8(ascii: " ")

    /// The hash of folded text.
    static func hash(_ folded: some Sequence<UInt8>) -> UInt64 {
        var hash = StableHash()
        for byte in folded where byte != space { hash.add(byte) }
        return hash.value
    }

    /// Folded text without its blanks.
    static func letters(_ folded: some Sequence<UInt8>) -> [UInt8] { folded.filter { $0 != space } }
}

/// The set of letters in a text, as far as 32 bits can hold it. Texts that differ in one letter differ in two bits at
/// most.
struct LetterSet: Equatable {
    let bits: UInt32

    init(bits: UInt32) { self.bits = bits }

    init(_ text: some Sequence<UInt8>) { bits = text.reduce(0) { $0 | 1 << UInt32($1 & 31) } }

    /// At least so many letters were added, left out or changed between the two texts.
    func leastChanges(to other: LetterSet) -> Int { ((bits ^ other.bits).nonzeroBitCount + 1) / 2 }
}

extension Geo.Box {
    /// Metres of a degree along a meridian of the mean sphere.
    private static let metresOfDegree = 111_195.08
    private static let townMetres = 1000.0...40_000.0
    /// Half the side of a town's box in metres is so often the root of its people: 10 km for 640,000, as of Helsinki.
    private static let metresOfRoot = 12.5

    /// What a map should show of a town.
    static func around(_ point: Geo.Coordinate, people: UInt32) -> Geo.Box {
        let metres = metresOfRoot * Double(people).squareRoot()
        return around(point, metres: min(max(metres, townMetres.lowerBound), townMetres.upperBound))
    }

    /// A box whose edges are `metres` away from a point; at most the whole Earth.
    static func around(_ point: Geo.Coordinate, metres: Double) -> Geo.Box {
        let tall = metres / metresOfDegree
        let wide = tall / max(cos(point.latitude * .pi / 180), 1e-9)
        let (west, east) = wide < 180 ? (turned(point.longitude - wide), turned(point.longitude + wide)) : (-180, 180)
        let box = try? Geo.Box(
            south: max(point.latitude - tall, -90), west: west, north: min(point.latitude + tall, 90), east: east)
        return box ?? .world
    }

    /// Degrees of a longitude, in -180...180.
    private static func turned(_ longitude: Double) -> Double {
        longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
    }
}
