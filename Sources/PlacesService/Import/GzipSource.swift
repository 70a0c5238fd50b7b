import Compression

/// Unpacks gzip (RFC 1952), several members one after the other included. What comes out is limited, since a small
/// file can unpack to almost anything.
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
