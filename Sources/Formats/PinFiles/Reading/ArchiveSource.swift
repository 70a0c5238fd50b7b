import Bytes
import FeatureFiles
import Refusals
import ZipFiles

/// The pins of all files in a ZIP archive that have some: a KMZ, or what Takeout gives. Nothing is unpacked to the
/// disk, and an archive in it is not opened.
final class ArchiveSource: PinSource {
    /// What finding and opening a file counts as in a turn, besides its name and its bytes.
    private static let entryBytes = 1 << 10

    private let archive: ArchiveBytes
    private let turn: ReadingTurn
    private var entries: ArraySlice<ZipArchive.Entry>
    private var fileName = ""
    private var source: (any PinSource)?
    private var hasPins = false

    init(_ path: String, _ limits: PinFileLimits, _ turn: ReadingTurn) throws(SourceError) {
        self.turn = turn
        archive = try ArchiveBytes(path, limits, turn)
        entries = try archive.entries(limits)[...]
    }

    func next() throws(SourceError) -> PinFileItem? {
        while true {
            if var item = try inFile({ () throws(SourceError) in try source?.next() }) {
                item.fileName = fileName
                return item
            }
            guard try begin() else { break }
        }
        guard hasPins else {
            throw .bad("the archive has no file with pins: .kml, .gpx, .geojson, or the saved places of Takeout")
        }
        return nil
    }

    /// Opens the next file that may have pins; false when there is none.
    private func begin() throws(SourceError) -> Bool {
        while let entry = entries.first {
            try turn.check()
            turn.count(Self.entryBytes + entry.name.utf8.count)
            entries.removeFirst()
            guard let kind = ArchiveKind(entry.name) else { continue }
            fileName = entry.name.quoted
            let opened = try inFile { () throws(SourceError) in
                try archive.open(entry)
                return try turn.unpaused { () throws(SourceError) in try kind.open(archive, entry.name) }
            }
            guard let opened else { continue }
            fileName = String(entry.name.unicodeScalars.prefix(200))
            (source, hasPins) = (opened, true)
            return true
        }
        source = nil
        return false
    }

    private func inFile<R>(_ body: () throws(SourceError) -> R) throws(SourceError) -> R {
        do throws(SourceError) {
            return try body()
        } catch {
            guard case .bad(let reason) = error else { throw error }
            throw .bad("\(fileName.prefix(200)): \(reason)")
        }
    }
}

/// What a file in an archive is, by its name.
private enum ArchiveKind {
    case markup, geoJSON
    /// Takeout has many of these about other things.
    case someJSON, someTable

    private static let beginning = 4096

    init?(_ name: String) {
        let name = name.lowercased()
        if name.begins(with: "__macosx/") { return nil }
        if name.ends(with: ".kml") || name.ends(with: ".gpx") {
            self = .markup
        } else if name.ends(with: ".geojson") {
            self = .geoJSON
        } else if name.ends(with: ".json") {
            self = .someJSON
        } else if name.ends(with: ".csv") {
            self = .someTable
        } else {
            return nil
        }
    }

    /// Nil for a file that is about something else.
    func open(_ archive: ArchiveBytes, _ name: String) throws(SourceError) -> (any PinSource)? {
        switch self {
        case .markup: return MarkupSource(try MarkupFeatures(archive))
        case .geoJSON: return FeatureSource(GeoJSONFeatures(archive, joinsProperties: true))
        case .someJSON:
            let head = String(decoding: try archive.peek(Self.beginning), as: UTF8.self)
            guard head.holds("FeatureCollection") || head.holds("\"features\"") else { return nil }
            return FeatureSource(GeoJSONFeatures(archive, joinsProperties: true))
        case .someTable:
            let head = String(decoding: try archive.peek(Self.beginning), as: UTF8.self).lowercased()
            guard head.holds(",url") || head.holds("latitude") else { return nil }
            return try TableSource(archive, name: name)
        }
    }
}
