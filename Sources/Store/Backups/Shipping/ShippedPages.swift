internal import Compression
import Storage

/// The pages in an object: their numbers, then their bytes, packed by gzip.
struct ShippedPages: Sendable {
    /// Pages in one at most: 4 MiB of them.
    static let most = 1_024
    /// Bytes of one at most.
    static let longest = 80 << 20

    let pageBytes: Int
    /// Pages that the database has.
    let pageCount: UInt32
    let numbers: [UInt32]
    let bytes: ArraySlice<UInt8>

    private static let form: UInt64 = 1

    /// What is stored.
    var packed: [UInt8] {
        var head = ListingWriter()
        for number in [Self.form, UInt64(pageBytes), UInt64(pageCount), UInt64(numbers.count)] { head.add(number) }
        var last: UInt32 = 0
        for number in numbers {
            head.add(UInt64(number - last))
            last = number
        }
        return Gzip.pack(head.bytes + bytes, level: 1)
    }

    init(pageBytes: Int, pageCount: UInt32, numbers: [UInt32], bytes: ArraySlice<UInt8>) {
        (self.pageBytes, self.pageCount, self.numbers, self.bytes) = (pageBytes, pageCount, numbers, bytes)
    }

    /// Nil when they are damaged.
    init?(packed: [UInt8]) {
        guard case .bytes(let plain) = Gzip.unpack(packed, limit: Self.longest) else { return nil }
        var reader = ListingReader(plain)
        guard reader.number() == Self.form,
            let pageBytes = reader.number().flatMap({ Int(exactly: $0) }), (512...65_536).contains(pageBytes),
            let pageCount = reader.number().flatMap({ UInt32(exactly: $0) }),
            let count = reader.count(ofAtLeast: pageBytes)
        else { return nil }
        var numbers: [UInt32] = []
        var last: UInt32 = 0
        for _ in 0..<count {
            guard let step = reader.number().flatMap({ UInt32(exactly: $0) }), step > 0, step <= pageCount - last
            else { return nil }
            last += step
            numbers.append(last)
        }
        guard reader.left == count * pageBytes, let bytes = reader.bytes(reader.left) else { return nil }
        self.init(pageBytes: pageBytes, pageCount: pageCount, numbers: numbers, bytes: bytes)
    }
}

extension LogCut {
    /// The cut in pieces, of which each is an object; one at least.
    var pieces: [ShippedPages] {
        stride(from: 0, to: max(1, numbers.count), by: ShippedPages.most).map { start in
            let end = min(numbers.count, start + ShippedPages.most)
            return ShippedPages(
                pageBytes: pageBytes, pageCount: pageCount, numbers: Array(numbers[start..<end]),
                bytes: bytes[(start * pageBytes)..<(end * pageBytes)])
        }
    }
}
