import Bytes
import EventLoops
import FeatureFiles
import Files
import Geo

/// The gazetteer's file in the data folder, made of the bundled tables.
enum GazetteerFile {
    /// Raised when names are folded in another way, or the file is written in another way.
    private static let edition: UInt64 = 1
    private static let pieceBytes = 1 << 20

    /// Opens the file at `path`; makes it first when there is none of these tables. Blocks, then for a few seconds.
    static func open(_ path: String, bundled folder: String) throws -> Gazetteer {
        let edition = try edition(of: folder)
        if let gazetteer = try? Gazetteer(path: path, edition: edition) { return gazetteer }
        let bytes = try GazetteerTables.read(folder, edition: edition)
        try PlacesError.converting("the gazetteer") { () throws(SystemError) in
            try DiskFile.replace(path, with: bytes)
        }
        return try Gazetteer(path: path, edition: edition)
    }

    /// Opens the indexes of all names beside the file at `path`; makes them first when there are none of these tables.
    /// Blocks, then for some seconds.
    static func openNames(_ path: String, bundled folder: String) throws -> [NameIndex] {
        let edition = try edition(of: folder)
        if let names = NameIndexWriter.open(path: path, source: edition) { return names }
        return try GazetteerTables.readNames(folder, to: NameIndexWriter(path: path, source: edition))
    }

    /// Identifies a state of the tables.
    private static func edition(of folder: String) throws(PlacesError) -> UInt64 {
        var hash = StableHash()
        hash.add(Self.edition)
        for path in GazetteerTables.paths(in: folder) {
            let file = try PlacesError.reading { () throws(SourceError) in try FileSource(path: path) }
            var piece = [UInt8](repeating: 0, count: Self.pieceBytes)
            while true {
                let count = try Self.read(file, into: &piece)
                if count == 0 { break }
                hash.add(Checksum.of(Array(piece[..<count])))
            }
        }
        return hash.value
    }

    private static func read(_ file: FileSource, into piece: inout [UInt8]) throws(PlacesError) -> Int {
        let result: Result<Int, PlacesError> = unsafe piece.withUnsafeMutableBytes { room in
            do throws(SourceError) { return .success(try unsafe file.read(into: room)) } catch {
                return .failure(PlacesError(error))
            }
        }
        return try result.get()
    }
}

/// The gazetteer's file, format 1: derived from the bundled tables, rebuilt when they change. Little endian, every
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
