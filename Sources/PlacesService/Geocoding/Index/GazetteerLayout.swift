/// The gazetteer's file, format 1: derived from the bundled tables, made anew when they change. Little endian, every
/// section starts at a multiple of 8 bytes.
///
///     header, 64 bytes
///       0  8 bytes   magic "WMGAZTR1"
///       8  UInt64    checksum of all that follows it
///      16  UInt64    edition: a checksum of the tables that it was made of
///      24  5 UInt32  numbers of names, records, extents, spellings, and bytes of text
///      44  zero
///     hashes       per name, UInt64: hash of the folded name without its blanks, ascending
///     targets      per name, UInt32: a `GazetteerTarget`; under one hash those with most people first
///     records      32 bytes each: countries, then regions, then towns
///       0  Int32 latitude, Int32 longitude (1e-7 degrees), UInt32 population, UInt32 source id,
///      16  UInt32 start of the name, UInt16 country, UInt16 region, UInt16 length of the name, UInt8 kind, zero,
///      28  UInt16 code, zero
///     extents      per country and region: Int32 south, west, north, east (1e-7 degrees)
///     spellings    16 bytes each, by length: names that are worth to be found with a typing mistake
///       0  UInt32 which letters (`LetterSet`), UInt32 target, UInt32 start of the folded name, UInt16 its length, zero
///     texts        names and folded names, one after the other
struct GazetteerLayout: Equatable {
    static let magic: [UInt8] = Array("WMGAZTR1".utf8)
    static let headerBytes = 64
    static let checkedFrom = 16
    static let hashBytes = 8
    static let targetBytes = 4
    static let recordBytes = 32
    static let extentBytes = 16
    static let spellingBytes = 16

    let names: Int
    let records: Int
    let extents: Int
    let spellings: Int
    let textBytes: Int

    var hashesAt: Int { Self.headerBytes }
    var targetsAt: Int { hashesAt + names * Self.hashBytes }
    var recordsAt: Int { Self.aligned(targetsAt + names * Self.targetBytes) }
    var extentsAt: Int { recordsAt + records * Self.recordBytes }
    var spellingsAt: Int { extentsAt + extents * Self.extentBytes }
    var textsAt: Int { spellingsAt + spellings * Self.spellingBytes }
    var fileBytes: Int { textsAt + textBytes }

    static func aligned(_ offset: Int) -> Int { (offset + 7) & ~7 }
}
