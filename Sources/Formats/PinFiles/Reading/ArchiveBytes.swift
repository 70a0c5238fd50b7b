import Bytes
import FeatureFiles
import Refusals
import ZipFiles

/// The bytes of one file of an archive after the other. What is read of all together and what comes out is limited,
/// since a small archive can unpack to almost any size, and its files can be the same bytes again and again.
final class ArchiveBytes: ByteSource {
    private let archive: ZipArchive
    private let limits: PinFileLimits
    private let turn: ReadingTurn
    private var part: ZipArchive.Part?
    private(set) var takenBytes: UInt64 = 0
    private var packedBytes: UInt64 = 0
    /// Of these, what is not of files of where a phone was.
    private var (plainBytes, plainPackedBytes): (UInt64, UInt64) = (0, 0)
    private var isTimeline = false
    private(set) var totalBytes: UInt64 = 0
    /// Whether a limit of the archive is reached: nothing more of it is read.
    private(set) var isExhausted = false

    init(_ path: String, _ limits: PinFileLimits, _ turn: ReadingTurn) throws(SourceError) {
        self.turn = turn
        // The memory that a list of files takes is known only by counting what may be an entry of it.
        guard try ArchiveScan.entries(of: path, atMost: limits.archiveFiles, turn) else {
            throw .bad("the archive has more than \(limits.archiveFiles) files, which is the limit")
        }
        self.limits = limits
        archive = try Self.reading { () throws(ZipProblem) in try ZipArchive(reading: path, isChecked: false) }
    }

    deinit { part = nil }

    /// Its files. One whose name leads out of the archive is refused, though no file is ever written.
    func entries(_ limits: PinFileLimits) throws(SourceError) -> [ZipArchive.Entry] {
        let entries = try Self.reading { () throws(ZipProblem) in
            try archive.entries(limit: limits.archiveFiles)
        }
        for entry in entries {
            try turn.checkStopped()
            let parts = entry.name.split(omittingEmptySubsequences: false, atScalars: { $0 == "/" || $0 == "\\" })
            guard parts.first?.isEmpty == false, !parts.contains(where: { $0.isSame(as: "..") }) else {
                throw .bad("the archive has a file \(entry.name.quoted), whose name leads out of it")
            }
            totalBytes += min(entry.byteCount, limits.timelineBytes)
        }
        return entries
    }

    /// Goes to the beginning of a file. `isJSON`: whether it may be one of where a phone was.
    func open(_ entry: ZipArchive.Entry, isJSON: Bool) throws(SourceError) {
        let limit = isJSON ? limits.timelineBytes : limits.unpackedBytes
        guard entry.byteCount <= limit - min(limit, isJSON ? takenBytes : plainBytes) else {
            throw exhausted(tooLarge(limit))
        }
        part = nil
        isTimeline = false
        part = try Self.reading { () throws(ZipProblem) in try archive.part(entry) }
    }

    /// The file that is open is one of where a phone was.
    func allowTimeline() { isTimeline = true }

    func read(into room: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
        while part != nil {
            try turn.check()
            let step = try unsafe step(into: room)
            turn.count(step.packedBytes + step.bytes)
            takenBytes += UInt64(step.bytes)
            packedBytes += UInt64(step.packedBytes)
            if !isTimeline {
                plainBytes += UInt64(step.bytes)
                plainPackedBytes += UInt64(step.packedBytes)
                try check(plainBytes, plainPackedBytes, limits.unpackedBytes)
            }
            try check(takenBytes, packedBytes, limits.timelineBytes)
            if step.isLast { part = nil }
            if step.bytes > 0 { return step.bytes }
        }
        return 0
    }

    private func step(into room: UnsafeMutableRawBufferPointer) throws(SourceError) -> ZipArchive.Part.Step {
        var problem: ZipProblem?
        var step: ZipArchive.Part.Step?
        do throws(ZipProblem) { step = try unsafe part?.step(into: room) } catch { problem = error }
        guard let step else { throw .bad("it can't be unpacked: \(problem?.description ?? "it is not open")") }
        return step
    }

    private func check(_ bytes: UInt64, _ packed: UInt64, _ limit: UInt64) throws(SourceError) {
        guard bytes <= limit else { throw exhausted(tooLarge(limit)) }
        guard packed <= limit else {
            throw exhausted("the files of the archive take more than \(limit) bytes in it, which is the limit")
        }
    }

    private func tooLarge(_ limit: UInt64) -> String {
        "the archive unpacks to more than \(limit) bytes, which is the limit"
    }

    private func exhausted(_ reason: String) -> SourceError {
        isExhausted = true
        return .bad(reason)
    }

    private static func reading<R: ~Copyable>(_ body: () throws(ZipProblem) -> R) throws(SourceError) -> R {
        do throws(ZipProblem) { return try body() } catch { throw .bad("it is no archive that can be read: \(error)") }
    }
}

/// Looks through an archive without believing what it says of itself.
enum ArchiveScan {
    private static let pieceBytes = 256 << 10
    /// How each line of the list of files begins (APPNOTE.TXT of PKWARE, section 4.3.12).
    private static let mark: [UInt8] = [0x50, 0x4b, 0x01, 0x02]

    /// Whether there are no more lines than this.
    static func entries(of path: String, atMost limit: Int, _ turn: ReadingTurn) throws(SourceError) -> Bool {
        let file = try FileSource(path: path)
        var (count, matched) = (0, 0)
        var offset: UInt64 = 0
        while true {
            try turn.checkStopped()
            let piece = try file.read(at: offset, count: pieceBytes)
            if piece.isEmpty { return true }
            for byte in piece {
                matched = byte == mark[matched] ? matched + 1 : byte == mark[0] ? 1 : 0
                guard matched == mark.count else { continue }
                (count, matched) = (count + 1, 0)
                if count > limit { return false }
            }
            offset += UInt64(piece.count)
        }
    }
}
