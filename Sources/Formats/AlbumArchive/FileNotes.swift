import Compression
import Crypto

/// What an archive says of a file: how long it is, its checksums, and how it begins. The bytes may come in parts.
package struct FileNotes: Sendable {
    private static let beginningBytes = 12

    package private(set) var byteCount: UInt64 = 0
    /// Its first bytes, which tell what kind of file it is.
    private(set) var beginning: [UInt8] = []
    private var crc = RunningCRC32()
    private var digest = RunningSHA256()

    package init() {}

    package init(_ bytes: [UInt8]) {
        update(bytes[...])
    }

    /// Adds the next bytes.
    package mutating func update(_ bytes: ArraySlice<UInt8>) {
        beginning += bytes.prefix(Self.beginningBytes - beginning.count)
        byteCount += UInt64(bytes.count)
        crc.update(bytes)
        digest.update(bytes)
    }

    var crc32: UInt32 { crc.value }

    /// In 64 hexadecimal digits.
    package var sha256: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: digest.digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
