import Compression
import EventLoops
import Glibc

/// Bytes of a file, in order.
protocol ByteSource: AnyObject {
    /// Bytes of the stored file that were taken so far, for the progress.
    var takenBytes: UInt64 { get }
    /// How many there will be in the end, as far as known.
    var totalBytes: UInt64 { get }
    /// Writes the next bytes into `room`, which is not empty; returns 0 at the end. Blocks.
    func read(into room: UnsafeMutableRawBufferPointer) throws(PlacesError) -> Int
}

/// A file as it is stored.
final class FileSource: ByteSource {
    let byteCount: UInt64
    private(set) var takenBytes: UInt64 = 0
    /// Bytes that will be read again.
    var repeatedBytes: UInt64 = 0
    private let descriptor: Int32
    private let path: String

    init(path: String) throws(PlacesError) {
        self.path = path
        let descriptor = try PlacesError.converting("reading the file") { () throws(SystemError) in
            try syscall("open", path) { unsafe open(path, O_RDONLY | O_CLOEXEC) }
        }
        self.descriptor = descriptor
        var status = stat()
        byteCount = unsafe fstat(descriptor, &status) == 0 ? UInt64(clamping: status.st_size) : 0
    }

    deinit { close(descriptor) }

    var totalBytes: UInt64 { byteCount + repeatedBytes }

    /// Whether the file begins like gzip (RFC 1952), whatever its name.
    var isGzip: Bool {
        var head: [UInt8] = [0, 0]
        return unsafe pread(descriptor, &head, 2, 0) == 2 && head == [0x1f, 0x8b]
    }

    /// Why the file does not match its stated format, by its first bytes; nil when they do not show it.
    func wrapping(for format: FileFormat) -> String? {
        var head: [UInt8] = [0, 0, 0, 0]
        if unsafe pread(descriptor, &head, 4, 0) == 4, head == [0x50, 0x4b, 0x03, 0x04] {
            return "it is a zip archive; unpack it and import the file in it"
        }
        return format == .osmPBF && isGzip ? "an .osm.pbf is packed in itself; unpack the gzip around it" : nil
    }

    func read(into room: UnsafeMutableRawBufferPointer) throws(PlacesError) -> Int {
        let count = try PlacesError.converting("reading the file") { () throws(SystemError) in
            try syscall("read", path) { unsafe Glibc.read(descriptor, room.baseAddress, room.count) }
        }
        takenBytes += UInt64(clamping: count)
        return count
    }

    /// Bytes from an offset of the file on; fewer than `count` only when the file ends before that. Blocks.
    func read(at offset: UInt64, count: Int) throws(PlacesError) -> [UInt8] {
        guard let start = off_t(exactly: offset) else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let step = try PlacesError.converting("reading the file") { () throws(SystemError) in
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
    func pass(over count: Int) { takenBytes += UInt64(clamping: count) }
}

/// Unpacks gzip (RFC 1952), including several members one after the other. The output is limited, since a small file
/// can unpack to almost any size.
@safe
final class GzipSource: ByteSource {
    private static let inputBytes = 128 << 10
    private let file: any ByteSource
    private let limitBytes: UInt64
    private var unpackedBytes: UInt64 = 0
    private var gunzip = Gunzip()
    private let input: UnsafeMutableRawBufferPointer

    /// `limitBytes` may come out at most.
    init(_ file: any ByteSource, limitBytes: UInt64) {
        self.file = file
        self.limitBytes = limitBytes
        unsafe input = .allocate(byteCount: Self.inputBytes, alignment: 16)
    }

    deinit { unsafe input.deallocate() }

    var takenBytes: UInt64 { file.takenBytes }
    var totalBytes: UInt64 { file.totalBytes }

    func read(into room: UnsafeMutableRawBufferPointer) throws(PlacesError) -> Int {
        while true {
            if gunzip.wantsMore, try fill() == 0 {
                guard gunzip.isInMember else { return 0 }
                throw .badFile(reason: "its compressed data ends too early; was it cut short?")
            }
            let count = try unsafe unpack(into: room)
            if count > 0 { return count }
        }
    }

    /// Takes more of the file; gives how much.
    private func fill() throws(PlacesError) -> Int {
        let count = try unsafe file.read(into: input)
        unsafe gunzip.feed(UnsafeRawBufferPointer(rebasing: input[..<count]))
        return count
    }

    private func unpack(into room: UnsafeMutableRawBufferPointer) throws(PlacesError) -> Int {
        guard let count = unsafe gunzip.unpack(into: room) else {
            throw .badFile(reason: "its compressed data is damaged after \(unpackedBytes) unpacked bytes")
        }
        unpackedBytes += UInt64(count)
        guard unpackedBytes <= limitBytes else {
            throw .badFile(reason: "it unpacks to more than \(limitBytes) bytes, which is the limit")
        }
        return count
    }
}
