import FeatureFiles
import PinFiles
import TestTools

/// What a text gives when it is read as a file of pins.
struct PinText {
    let pins: [PinRecord]
    let bad: [PinFileItem]
    let unplaced: [UnplacedRecord]
    /// What is no point, in words.
    let lines: [String]
    let tracks: [TrackRecord]
    var lineCount: Int { lines.count }

    init(_ text: String, limits: PinFileLimits = PinFileLimits()) throws {
        try self.init(bytes: Array(text.utf8), limits: limits)
    }

    init(bytes: [UInt8], limits: PinFileLimits = PinFileLimits()) throws {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try WholeFile.write(bytes, to: folder.file("file"))
        let file = try PinFile(path: folder.file("file"), limits: limits)
        var items: [PinFileItem] = []
        while let item = try file.next() { items.append(item) }
        pins = items.compactMap { if case .pin(let pin) = $0.content { pin } else { nil } }
        unplaced = items.compactMap { if case .unplaced(let entry) = $0.content { entry } else { nil } }
        bad = items.filter { if case .bad = $0.content { true } else { false } }
        lines = items.compactMap { if case .line(let what) = $0.content { what } else { nil } }
        tracks = items.compactMap { if case .track(let track) = $0.content { track } else { nil } }
    }

    /// Why the bad ones are none.
    var reasons: [String] { bad.compactMap { if case .bad(let reason) = $0.content { reason } else { nil } } }
    var firstReason: String { reasons.first ?? "" }

    /// Why a file is refused as a whole; empty when it is not.
    static func refusal(_ bytes: [UInt8], limits: PinFileLimits = PinFileLimits()) throws -> String {
        do {
            _ = try PinText(bytes: bytes, limits: limits)
            return ""
        } catch let error as SourceError {
            return error.description
        }
    }
}
