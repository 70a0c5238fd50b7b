internal import Bytes
internal import Compression

/// Chunks of files in one object of a store: their lengths, then their bytes, packed by gzip where that helps.
///
///     0 or 1 (gzip)   [count: 4 bytes] [length: 4 bytes]… [bytes]…
enum Pack {
    /// Bytes from which on a pack is full.
    static let full = 4 << 20
    /// Chunks that a pack has at most.
    static let maximumChunks = 1 << 15
    /// Bytes of one at most: nearly full, and then the longest chunk.
    static let maximumBytes = 2 * full + 4 * maximumChunks + 16
    /// What is looked at to see whether packing helps.
    private static let sample = 32 << 10

    /// The bytes of a pack.
    static func bytes(of chunks: [[UInt8]]) -> [UInt8] {
        var plain = four(chunks.count)
        plain.reserveCapacity(4 + chunks.reduce(0) { $0 + 4 + $1.count })
        for chunk in chunks { plain += four(chunk.count) }
        for chunk in chunks { plain += chunk }
        let start = Array(plain[min(plain.count / 2, 1 << 20)...].prefix(sample))
        guard Gzip.pack(start, level: 1).count * 20 < start.count * 19 else { return [0] + plain }
        let packed = Gzip.pack(plain, level: 1)
        return packed.count < plain.count ? [1] + packed : [0] + plain
    }

    /// The chunks of a pack; nil when it is damaged.
    static func chunks(of bytes: [UInt8]) -> [ArraySlice<UInt8>]? {
        guard let plain = plain(bytes), plain.count >= 4 else { return nil }
        let count = number(plain[0..<4])
        guard count <= maximumChunks, plain.count >= 4 + 4 * count else { return nil }
        var chunks: [ArraySlice<UInt8>] = []
        chunks.reserveCapacity(count)
        var start = 4 + 4 * count
        for index in 0..<count {
            let length = number(plain[(4 + 4 * index)..<(8 + 4 * index)])
            guard length <= plain.count - start else { return nil }
            chunks.append(plain[start..<(start + length)])
            start += length
        }
        return start == plain.count ? chunks : nil
    }

    private static func plain(_ bytes: [UInt8]) -> [UInt8]? {
        switch bytes.first {
        case 0: return bytes.count <= maximumBytes ? Array(bytes.dropFirst()) : nil
        case 1:
            guard case .bytes(let plain) = Gzip.unpack(Array(bytes.dropFirst()), limit: maximumBytes) else {
                return nil
            }
            return plain
        default: return nil
        }
    }

    private static func four(_ number: Int) -> [UInt8] { BigEndian.bytes(UInt64(number)).suffix(4) }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { Int(BigEndian.number(bytes)) }
}
