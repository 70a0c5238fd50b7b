internal import Bytes
internal import Crypto
import EventLoops
internal import Files

/// The file of a database that no one has open.
struct ClosedFile: Equatable {
    let byteCount: Int
    /// Milliseconds since 1970.
    let modified: Int64

    init(byteCount: Int, modified: Int64) {
        (self.byteCount, self.modified) = (byteCount, modified)
    }

    /// Nil when a log belongs to it.
    init?(_ path: String) {
        guard let log = try? DiskFile.status("\(path)-wal")?.byteCount ?? 0, log == 0,
            let status = try? DiskFile.status(path)
        else { return nil }
        self.init(byteCount: status.byteCount, modified: status.modified)
    }
}

/// How far a log was followed, as it is kept beside its database, so that the next process goes on from there.
///
/// It is written without a flush. A power cut can leave an older one, of which the log says whether it still fits, or a
/// part of one, which its hash shows.
struct LogPosition: Equatable {
    /// The number of the database's file on its disk: a copy of the folder has another one.
    let file: UInt64
    /// Of the log; 0 when the database was closed.
    var salt: UInt64 = 0
    /// The log's frames that were looked at.
    var frames: UInt32 = 0
    /// What the file of the closed database was: its bytes, and when it changed last.
    var closed: ClosedFile?
    /// Pages that changed and were not copied.
    var changed: PageSet
    /// What the one who copies keeps.
    let note: [UInt8]

    var isClosed: Bool { closed != nil }

    /// Whether the log is the one that was followed, or the one after it. A log starts over when all of it was copied,
    /// and before that a position is kept that has all of it; then the first word of its salt is one more.
    func fits(_ index: LogIndex) -> Bool {
        guard salt != 0 else { return false }
        return salt == index.salt
            ? frames <= index.frames : LogIndex.saltWord(salt) &+ 1 == LogIndex.saltWord(index.salt)
    }

    static func remove(of database: String) { try? DiskFile.remove(path(of: database)) }

    private static let head = Array("WMP1".utf8)
    private static let hashBytes = 16
    private static let numbers = 7
    private static let longest = 64 << 20

    static func path(of database: String) -> String { "\(database)-followed" }

    /// Nil when there is none that can be used.
    static func read(of database: String) -> LogPosition? {
        (try? SmallFile.read(path(of: database), limit: longest)).flatMap { LogPosition($0) }
    }

    func write(of database: String) throws(SystemError) {
        let path = Self.path(of: database)
        if try !DiskFile.exists(path) { try DiskFile.create(path, byteCount: 0) }
        let file = try Descriptor.writing(to: path)
        defer { withExtendedLifetime(file) {} }
        try DiskFile.writeAll(bytes, to: file.number, at: 0, path)
    }

    var bytes: [UInt8] {
        let pages = changed.first(.max)
        let numbers = [
            file, salt, UInt64(frames), UInt64(closed?.byteCount ?? 0), UInt64(bitPattern: closed?.modified ?? 0),
            UInt64(note.count), UInt64(pages.count),
        ]
        var body = numbers.flatMap { BigEndian.bytes($0) } + note
        body.reserveCapacity(body.count + 4 * pages.count)
        for page in pages { body += BigEndian.bytes(UInt64(page)).suffix(4) }
        return Self.head + BLAKE2b.digest128(body[...]) + body
    }

    init(file: UInt64, changed: PageSet, note: [UInt8]) {
        (self.file, self.changed, self.note) = (file, changed, note)
    }

    /// Nil when they are damaged. Bytes behind them are of an older, longer one.
    init?(_ bytes: [UInt8]) {
        let start = Self.head.count + Self.hashBytes
        let notes = start + 8 * Self.numbers
        guard bytes.starts(with: Self.head), bytes.count >= notes else { return nil }
        func number(_ index: Int) -> UInt64 { BigEndian.number(bytes[(start + 8 * index)..<(start + 8 * index + 8)]) }
        guard number(5) <= 1 << 16, number(6) <= 1 << 26 else { return nil }
        let pages = notes + Int(number(5))
        let end = pages + 4 * Int(number(6))
        guard end <= bytes.count, BLAKE2b.digest128(bytes[start..<end]) == Array(bytes[Self.head.count..<start]),
            let size = Int(exactly: number(3)), let frames = UInt32(exactly: number(2))
        else { return nil }
        file = number(0)
        salt = number(1)
        self.frames = frames
        closed = size > 0 ? ClosedFile(byteCount: size, modified: Int64(bitPattern: number(4))) : nil
        note = Array(bytes[notes..<pages])
        changed = PageSet()
        for at in stride(from: pages, to: end, by: 4) {
            changed.insert(UInt32(truncatingIfNeeded: BigEndian.number(bytes[at..<(at + 4)])))
        }
    }
}
