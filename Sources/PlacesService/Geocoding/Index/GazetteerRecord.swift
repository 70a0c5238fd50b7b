import Geo

/// A country, a first-level region or a town.
struct GazetteerRecord: Equatable, Sendable {
    enum Kind: UInt8, Sendable { case country, region, town }

    /// What stands for "no region" among the numbers of regions.
    static let noRegion = UInt16.max

    let kind: Kind
    let position: Geo.Coordinate
    /// How many people live there; 0 when nobody counted.
    let population: UInt32
    /// GeoNames' number of a town; 0 for others.
    let sourceID: UInt32
    /// The record of its country; a country's own.
    let country: UInt16
    /// The record of its region; a region's own; `noRegion` for none.
    let region: UInt16
    /// Where its name stands among the texts.
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

    /// Above it stands the quality.
    static let mostRecords = 1 << 30

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
