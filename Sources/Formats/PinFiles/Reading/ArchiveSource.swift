import Bytes
import FeatureFiles
import Refusals
import ZipFiles

/// The pins of all files in a ZIP archive that have some: a KMZ, or what Takeout gives. A file that can't be read costs
/// its pins, and not those of the others. Nothing is unpacked to the disk, and an archive in it is not opened.
final class ArchiveSource: PinSource {
    /// What finding and opening a file counts as in a turn, besides its name and its bytes.
    private static let entryBytes = 1 << 10

    private let archive: ArchiveBytes
    private let turn: ReadingTurn
    private var entries: ArraySlice<ZipArchive.Entry>
    private var fileName = ""
    private var source: (any PinSource)?
    /// Whether a file of it is one of pins, though perhaps it can't be read.
    private var hasFiles = false
    /// What its files say of where a phone was: Takeout has one for each month.
    private var timeline: Timeline?
    /// Whether the file that is open may be about something else, if it gives nothing.
    private var isDoubtful = false

    init(_ path: String, _ limits: PinFileLimits, _ turn: ReadingTurn) throws(SourceError) {
        self.turn = turn
        archive = try ArchiveBytes(path, limits, turn)
        entries = try archive.entries(limits)[...]
    }

    func next() throws(SourceError) -> PinFileItem? {
        while true {
            do throws(SourceError) {
                if var item = try source?.next() {
                    item.fileName = fileName
                    isDoubtful = false
                    return item
                }
                guard try begin() else { break }
            } catch {
                if let item = try broken(error) { return item }
            }
        }
        if let item = timeline?.next() { return item }
        guard hasFiles else {
            throw .bad("the archive has no file with pins: .kml, .gpx, .geojson, or places or the timeline of Takeout")
        }
        return nil
    }

    /// Opens the next file that may have pins; false when there is none.
    private func begin() throws(SourceError) -> Bool {
        source = nil
        while let entry = entries.first {
            try turn.check()
            turn.count(Self.entryBytes + entry.name.utf8.count)
            entries.removeFirst()
            guard let kind = ArchiveKind(entry.name) else { continue }
            fileName = String(entry.name.unicodeScalars.prefix(200))
            (hasFiles, isDoubtful) = (hasFiles || kind.isOfPins, !kind.isOfPins)
            try archive.open(entry, isJSON: kind == .someJSON)
            let text = TextSource(archive)
            source = try turn.unpaused { () throws(SourceError) in try open(kind, text, entry.name) }
            hasFiles = hasFiles || source != nil
            if source != nil { return true }
        }
        return false
    }

    /// Nil for a file that is about something else.
    private func open(
        _ kind: ArchiveKind, _ text: TextSource, _ name: String
    ) throws(SourceError) -> (any PinSource)? {
        guard kind == .someJSON,
            TimelineName.isTimeline(String(decoding: try text.peek(Timeline.headBytes), as: UTF8.self))
        else { return try kind.open(text, name) }
        let timeline = timeline ?? Timeline()
        self.timeline = timeline
        // It gives places at the end of the archive, and so perhaps nothing before it breaks.
        isDoubtful = false
        archive.allowTimeline()
        return TimelineSource(text, timeline)
    }

    /// What became of a file that can't be read any further; nil for one that is about something else. The next
    /// follows.
    private func broken(_ error: SourceError) throws(SourceError) -> PinFileItem? {
        guard case .bad(let reason) = error else { throw error }
        guard !archive.isExhausted else { throw .bad("\(fileName.quoted): \(reason)") }
        source = nil
        if isDoubtful { return nil }
        var item = PinFileItem(number: 0, content: .bad(reason))
        item.fileName = fileName
        return item
    }
}

/// What a file in an archive is, by its name.
private enum ArchiveKind {
    case markup, geoJSON, archive
    /// Takeout has many of these about other things.
    case someJSON, someTable

    private static let beginning = 4096

    init?(_ name: String) {
        let name = name.lowercased()
        // What macOS adds to archives.
        if name.begins(with: "__macosx/") || name.split(at: "/").last?.begins(with: "._") == true { return nil }
        if name.ends(with: ".kml") || name.ends(with: ".gpx") {
            self = .markup
        } else if name.ends(with: ".geojson") {
            self = .geoJSON
        } else if name.ends(with: ".kmz") {
            self = .archive
        } else if name.ends(with: ".json") {
            self = .someJSON
        } else if name.ends(with: ".csv") {
            self = .someTable
        } else {
            return nil
        }
    }

    /// Whether such a file is about places whatever it contains.
    var isOfPins: Bool { self == .markup || self == .geoJSON || self == .archive }

    /// Nil for a file that is about something else.
    func open(_ text: TextSource, _ name: String) throws(SourceError) -> (any PinSource)? {
        switch self {
        case .markup: return FeatureSource(try MarkupFeatures(text)) { $0.isKML }
        case .geoJSON: return FeatureSource(GeoJSONFeatures(text, joinsProperties: true))
        case .archive: throw .bad("it is an archive in an archive; unpack it and import it by itself")
        case .someJSON:
            let head = String(decoding: try text.peek(Self.beginning), as: UTF8.self)
            guard head.holds("FeatureCollection") || head.holds("\"features\"") else { return nil }
            return FeatureSource(GeoJSONFeatures(text, joinsProperties: true))
        case .someTable:
            let head = String(decoding: try text.peek(Self.beginning), as: UTF8.self).lowercased()
            guard head.holds(",url") || head.holds("latitude") else { return nil }
            return try TableSource(text, name: name)
        }
    }
}
