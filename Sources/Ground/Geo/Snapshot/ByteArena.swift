internal import Glibc

/// Bytes of many rows, one row after the other, in memory, or in a file without a name so that memory does not grow
/// with them. First they are appended, then sealed, then read.
@safe
struct ByteArena: ~Copyable {
    private static let pieceBytes = 1 << 20

    /// Nil: all stays in memory.
    private let folder: String?
    /// What is not in the file, or not yet.
    private var piece: [UInt8] = []
    private var storedBytes = 0
    private var descriptor: Int32 = -1
    private var mapping = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// The file will be in this folder, from the first bytes on that need it; without a folder there is none.
    init(folder: String?) { self.folder = folder }

    deinit {
        if let start = unsafe mapping.baseAddress {
            unsafe munmap(UnsafeMutableRawPointer(mutating: start), mapping.count)
        }
        if descriptor >= 0 { close(descriptor) }
    }

    /// Sees to it that a row of so many bytes can be appended without touching the disk.
    mutating func makeRoom(for byteCount: Int) throws(GeoError) {
        if let folder, piece.count + byteCount > Self.pieceBytes { try store(folder) }
    }

    /// Appends a row's bytes; gives where they begin.
    mutating func append(
        idBytes id: UnsafeRawBufferPointer, record: UnsafeRawBufferPointer
    ) throws(GeoError) -> Int {
        try makeRoom(for: 1 + id.count + record.count)
        let start = storedBytes + piece.count
        piece.append(UInt8(truncatingIfNeeded: id.count))
        unsafe piece.append(contentsOf: id)
        unsafe piece.append(contentsOf: record)
        return start
    }

    /// Ends the appending; from here on bytes can be read.
    mutating func seal() throws(GeoError) {
        guard let folder, storedBytes > 0 else { return }
        try store(folder)
        piece = []
        let start = unsafe mmap(nil, storedBytes, PROT_READ, MAP_SHARED, descriptor, 0)
        guard let start = unsafe start, unsafe start != MAP_FAILED else { throw failure("mmap", folder) }
        unsafe mapping = UnsafeRawBufferPointer(start: start, count: storedBytes)
    }

    /// The bytes from a row's start on.
    func withBytes<R>(at start: Int, count: Int, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        if storedBytes > 0 { return unsafe body(UnsafeRawBufferPointer(rebasing: mapping[start..<(start + count)])) }
        return unsafe piece.withUnsafeBytes {
            unsafe body(UnsafeRawBufferPointer(rebasing: $0[start..<(start + count)]))
        }
    }

    func firstByte(at start: Int) -> UInt8 { storedBytes > 0 ? unsafe mapping[start] : piece[start] }

    private mutating func store(_ folder: String) throws(GeoError) {
        if descriptor < 0 { try open(folder) }
        var done = 0
        while done < piece.count {
            let count = unsafe piece.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
            }
            if count >= 0 { done += count } else if errno != EINTR { throw failure("write", folder) }
        }
        storedBytes += done
        piece.removeAll(keepingCapacity: true)
    }

    private mutating func open(_ folder: String) throws(GeoError) {
        let path = "\(folder)/rows.\(UInt64.random(in: .min ... .max))"
        descriptor = unsafe Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("open", folder) }
        _ = unsafe unlink(path)
        piece.reserveCapacity(Self.pieceBytes)
    }

    private func failure(_ call: String, _ folder: String) -> GeoError {
        .system(call: call, code: errno, path: folder)
    }
}
