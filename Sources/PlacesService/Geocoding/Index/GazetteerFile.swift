import Bytes
import EventLoops
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

    /// Tells one state of the tables from another.
    private static func edition(of folder: String) throws(PlacesError) -> UInt64 {
        var hash = StableHash()
        hash.add(Self.edition)
        for path in GazetteerTables.paths(in: folder) {
            let file = try FileSource(path: path)
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
            do throws(PlacesError) { return .success(try unsafe file.read(into: room)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
