import Bytes
internal import CSQLite

/// What the index of a write-ahead log says at one moment (https://sqlite.org/walformat.html, 2.1).
struct LogIndex: Equatable {
    /// Names the log until it starts over.
    var salt: UInt64
    /// Frames that are committed.
    var frames: UInt32
    /// Pages of the database after the last of them.
    let pageCount: UInt32
    /// Frames that are in the database file too.
    let copied: UInt32
    /// Bytes of a page.
    fileprivate(set) var pageBytes: Int

    private static let tries = 1_000

    /// The first word of a salt, as a number.
    static func saltWord(_ salt: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: salt >> 32).byteSwapped }

    /// Reads the index of a connection that has read something. The header is there twice; while it is written the two
    /// differ.
    @unsafe
    init(of database: OpaquePointer, path: String) throws(SQLError) {
        var words = [UInt32](repeating: 0, count: 25)
        for _ in 0..<Self.tries {
            let code = unsafe waymark_sqlite_log_index(database, &words)
            guard code == SQLITE_OK else { throw Failure.error(code, path: path, cause: "its log has no index") }
            if words[0..<12].elementsEqual(words[12..<24]) { break }
        }
        guard words[0..<12].elementsEqual(words[12..<24]) else {
            throw SQLError(.locked, "database \(path): the index of its log never stands still")
        }
        salt = UInt64(words[8]) << 32 | UInt64(words[9])
        frames = words[4]
        pageCount = words[5]
        copied = words[24]
        // The lower half of the word holds two flags on a little-endian machine; 1 stands for 65536.
        let size = Int(words[3] >> 16)
        pageBytes = size == 1 ? 65_536 : size
    }
}

/// One frame of a log without its page (https://sqlite.org/walformat.html, 1.2).
struct LogFrame {
    static let headBytes = 24
    private static let logHeadBytes = 32

    let page: UInt32
    /// Pages of the database when this ends a transaction; else 0.
    let pageCount: UInt32

    /// Where a frame begins; the first is 1.
    static func offset(of number: UInt32, pageBytes: Int) -> Int {
        logHeadBytes + (Int(number) - 1) * (headBytes + pageBytes)
    }

    /// Nil when the bytes are of another log than the one with this salt.
    init?(_ bytes: [UInt8], salt: UInt64) {
        guard bytes.count == Self.headBytes else { return nil }
        func word(_ at: Int) -> UInt32 { UInt32(truncatingIfNeeded: BigEndian.number(bytes[at..<(at + 4)])) }
        // The index has the salt's words as they are in the file's bytes.
        let own = UInt64(word(8).byteSwapped) << 32 | UInt64(word(12).byteSwapped)
        guard own == salt, word(0) > 0 else { return nil }
        (page, pageCount) = (word(0), word(4))
    }
}

/// Reads the files behind a connection.
@safe
struct LogFiles {
    private let database: OpaquePointer
    private let path: String

    @unsafe
    init(_ database: OpaquePointer, path: String) {
        unsafe self.database = database
        self.path = path
    }

    func index() throws(SQLError) -> LogIndex {
        var index = try unsafe LogIndex(of: database, path: path)
        // A log without frames doesn't know the size of pages.
        if index.pageBytes == 0 {
            let size = try head(16, bytes: 2)
            index.pageBytes = size == 1 ? 65_536 : size
        }
        return index
    }

    /// A frame's head.
    func frame(_ number: UInt32, of index: LogIndex) throws(SQLError) -> LogFrame? {
        var bytes = [UInt8](repeating: 0, count: LogFrame.headBytes)
        try read(&bytes, 0..<bytes.count, at: LogFrame.offset(of: number, pageBytes: index.pageBytes), fromLog: true)
        return LogFrame(bytes, salt: index.salt)
    }

    /// Where a page is.
    enum PagePlace {
        case frame(UInt32)
        /// In the database file; the first is 1.
        case page(UInt32)
    }

    /// Reads a page to a place in `bytes`.
    func read(
        _ place: PagePlace, of index: LogIndex, into bytes: inout [UInt8], at range: Range<Int>
    ) throws(SQLError) {
        switch place {
        case .frame(let number):
            let offset = LogFrame.offset(of: number, pageBytes: index.pageBytes) + LogFrame.headBytes
            try read(&bytes, range, at: offset, fromLog: true)
        case .page(let number):
            try read(&bytes, range, at: (Int(number) - 1) * index.pageBytes, fromLog: false)
        }
    }

    /// Pages that the database file has.
    func pageCount() throws(SQLError) -> UInt32 { UInt32(truncatingIfNeeded: try head(28, bytes: 4)) }

    /// A number in the head of the database file (https://sqlite.org/fileformat.html, 1.3).
    private func head(_ offset: Int, bytes count: Int) throws(SQLError) -> Int {
        var bytes = [UInt8](repeating: 0, count: count)
        try read(&bytes, 0..<count, at: offset, fromLog: false)
        return Int(BigEndian.number(bytes[...]))
    }

    private func read(
        _ bytes: inout [UInt8], _ range: Range<Int>, at offset: Int, fromLog: Bool
    ) throws(SQLError) {
        let code = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe waymark_sqlite_read(
                database, fromLog ? 1 : 0, bytes.baseAddress?.advanced(by: range.lowerBound), Int32(range.count),
                Int64(offset))
        }
        guard code == SQLITE_OK else {
            throw Failure.error(code, path: path, cause: "its pages can't be read at \(offset)")
        }
    }
}
