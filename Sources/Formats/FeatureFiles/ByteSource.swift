internal import Compression
internal import EventLoops
internal import Glibc

/// Bytes of a file, in order.
package protocol ByteSource: AnyObject {
    /// Bytes of the stored file that were taken so far, for the progress.
    var takenBytes: UInt64 { get }
    /// How many there will be in the end, as far as known.
    var totalBytes: UInt64 { get }
    /// Writes the next bytes into `room`, which is not empty; returns 0 at the end. Blocks.
    func read(into room: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int
}

extension ByteSource {
    /// Writes the next bytes over the beginning of `piece`, which is not empty; gives how many, 0 at the end. Blocks.
    package func fill(_ piece: inout [UInt8]) throws(SourceError) -> Int {
        var result: Result<Int, SourceError> = .success(0)
        unsafe piece.withUnsafeMutableBytes { room in
            do throws(SourceError) { result = .success(try unsafe read(into: room)) } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }
}

/// A file as it is stored.
package final class FileSource: ByteSource {
    package let byteCount: UInt64
    package private(set) var takenBytes: UInt64 = 0
    /// Bytes that will be read again.
    package var repeatedBytes: UInt64 = 0
    private let descriptor: Int32
    private let path: String

    package init(path: String) throws(SourceError) {
        self.path = path
        let descriptor = try SourceError.converting { () throws(SystemError) in
            try syscall("open", path) { unsafe open(path, O_RDONLY | O_CLOEXEC) }
        }
        self.descriptor = descriptor
        var status = stat()
        byteCount = unsafe fstat(descriptor, &status) == 0 ? UInt64(clamping: status.st_size) : 0
    }

    deinit { close(descriptor) }

    package var totalBytes: UInt64 { byteCount + repeatedBytes }

    /// Whether the file begins like gzip (RFC 1952), whatever its name.
    package var isGzip: Bool { head(2) == [0x1f, 0x8b] }

    /// Its first bytes, at most `count`.
    package func head(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = unsafe pread(descriptor, &bytes, count, 0)
        return Array(bytes.prefix(max(0, read)))
    }

    package func read(into room: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
        let count = try SourceError.converting { () throws(SystemError) in
            try syscall("read", path) { unsafe Glibc.read(descriptor, room.baseAddress, room.count) }
        }
        takenBytes += UInt64(clamping: count)
        return count
    }

    /// Bytes from an offset of the file on; fewer than `count` only when the file ends before that. Blocks.
    package func read(at offset: UInt64, count: Int) throws(SourceError) -> [UInt8] {
        guard let start = off_t(exactly: offset) else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let step = try SourceError.converting { () throws(SystemError) in
                try syscall("pread", path) {
                    unsafe bytes.withUnsafeMutableBytes { room in
                        unsafe pread(descriptor, room.baseAddress?.advanced(by: done), count - done, start + done)
                    }
                }
            }
            if step == 0 { break }
            done += step
        }
        takenBytes += UInt64(done)
        return done == count ? bytes : Array(bytes[..<done])
    }

    /// Counts skipped bytes as taken.
    package func pass(over count: Int) { takenBytes += UInt64(clamping: count) }
}

/// Unpacks gzip (RFC 1952), including several members one after the other. The output is limited, since a small file
/// can unpack to almost any size.
@safe
package final class GzipSource: ByteSource {
    private static let inputBytes = 128 << 10
    private let file: any ByteSource
    /// How many may come out.
    package var limitBytes: UInt64
    private var unpackedBytes: UInt64 = 0
    private var gunzip = Gunzip()
    private let input: UnsafeMutableRawBufferPointer

    package init(_ file: any ByteSource, limitBytes: UInt64) {
        self.file = file
        self.limitBytes = limitBytes
        unsafe input = .allocate(byteCount: Self.inputBytes, alignment: 16)
    }

    deinit { unsafe input.deallocate() }

    package var takenBytes: UInt64 { file.takenBytes }
    package var totalBytes: UInt64 { file.totalBytes }

    package func read(into room: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
        while true {
            if gunzip.wantsMore, try fill() == 0 {
                guard gunzip.isInMember else { return 0 }
                throw .bad("its compressed data ends too early; was it cut short?")
            }
            let count = try unsafe unpack(into: room)
            if count > 0 { return count }
        }
    }

    /// Takes more of the file; gives how much.
    private func fill() throws(SourceError) -> Int {
        let count = try unsafe file.read(into: input)
        unsafe gunzip.feed(UnsafeRawBufferPointer(rebasing: input[..<count]))
        return count
    }

    private func unpack(into room: UnsafeMutableRawBufferPointer) throws(SourceError) -> Int {
        guard let count = unsafe gunzip.unpack(into: room) else {
            throw .bad("its compressed data is damaged after \(unpackedBytes) unpacked bytes")
        }
        unpackedBytes += UInt64(count)
        guard unpackedBytes <= limitBytes else {
            throw .bad("it unpacks to more than \(limitBytes) bytes, which is the limit")
        }
        return count
    }
}
