package import EventLoops
import Files
import Glibc

/// Bytes that are too many for memory, in a file without a name: first they are appended, then read. It is gone with
/// the process, however that ends. All of it blocks.
@safe
package final class ScratchFile {
    private static let pieceBytes = 1 << 20

    private let folder: String
    private let descriptor: Int32
    /// What is not in the file yet.
    private var piece: [UInt8] = []
    private var storedBytes = 0
    private var mapping = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    package init(in folder: String) throws(SystemError) {
        self.folder = folder
        let path = "\(folder)/scratch.\(UInt64.random(in: 0 ... .max))"
        descriptor = try syscall("open", path) { unsafe open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        _ = unsafe unlink(path)
        piece.reserveCapacity(Self.pieceBytes)
    }

    deinit {
        if let start = unsafe mapping.baseAddress {
            unsafe munmap(UnsafeMutableRawPointer(mutating: start), mapping.count)
        }
        close(descriptor)
    }

    package var byteCount: Int { storedBytes + piece.count }

    /// Appends bytes.
    package func append(_ bytes: [UInt8]) throws(SystemError) {
        if piece.count + bytes.count > Self.pieceBytes { try store() }
        piece += bytes
    }

    /// Appends numbers, the lowest byte of each first.
    package func append(words: ArraySlice<UInt64>) throws(SystemError) {
        try append(unsafe words.map(\.littleEndian).withUnsafeBytes { unsafe [UInt8]($0) })
    }

    /// Ends the appending; from here on bytes can be read.
    package func seal() throws(SystemError) {
        try store()
        piece = []
        guard storedBytes > 0 else { return }
        let start = unsafe mmap(nil, storedBytes, PROT_READ, MAP_SHARED, descriptor, 0)
        guard let start = unsafe start, unsafe start != MAP_FAILED else {
            throw SystemError(call: "mmap", code: errno, subject: folder)
        }
        unsafe mapping = UnsafeRawBufferPointer(start: start, count: storedBytes)
    }

    /// Bytes of the sealed file; the range is one that was appended.
    package func bytes(_ range: Range<Int>) -> [UInt8] {
        unsafe [UInt8](UnsafeRawBufferPointer(rebasing: mapping[range]))
    }

    /// A number of the sealed file, as it was appended with `append(number:)`.
    package func number<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, at offset: Int) -> Number {
        unsafe Number(littleEndian: mapping.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }

    /// The same for eight bytes, which is faster from other modules: there the generic one is not specialized.
    package func word(at offset: Int) -> UInt64 { number(UInt64.self, at: offset) }

    private func store() throws(SystemError) {
        try DiskFile.writeAll(piece, to: descriptor, at: storedBytes, folder)
        storedBytes += piece.count
        piece.removeAll(keepingCapacity: true)
    }
}
