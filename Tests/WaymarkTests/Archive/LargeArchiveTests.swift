import Glibc
import TestTools
import Testing
import ZipFiles

@testable import AlbumArchive

@Suite("P25 An archive of an album of more than 4 GiB")
struct LargeArchiveTests {
    /// The largest picture that there is.
    private static let byteCount = 64 << 20

    @Test("is read by libzip from its first file to its last")
    func far() throws {
        let folder = TemporaryFolder()
        let path = folder.file("large.zip")
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        var (zip, offset) = (ZipStream(), 0)
        func write(_ bytes: [UInt8]) {
            #expect(pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count)
            offset += bytes.count
        }
        // Holes in the file, which take no room on the disk.
        let notes = FileNotes([UInt8](repeating: 0, count: Self.byteCount))
        for number in 0..<66 {
            write(zip.begin("pictures/\(number).jpg", byteCount: UInt32(Self.byteCount), crc32: notes.crc32))
            offset += Self.byteCount
        }
        let last = Array("the last".utf8)
        write(zip.begin("manifest.json", byteCount: UInt32(last.count), crc32: FileNotes(last).crc32) + last)
        write(zip.end())
        let archive = try ZipArchive(reading: path)
        let entries = try archive.entries(limit: 100)
        #expect(entries.count == 67 && entries.prefix(66).allSatisfy { $0.byteCount == UInt64(Self.byteCount) })
        var count = 0
        try archive.read(try #require(entries.first)) { count += $0.count }
        try archive.read(entries[65]) { count += $0.count }
        #expect(count == 2 * Self.byteCount)
        var text: [UInt8] = []
        try archive.read(try #require(entries.last)) { text += $0 }
        #expect(text == last)
    }
}
