import Compression

/// Makes archives, also such that lie.
enum ZipMaker {
    /// - Parameters:
    ///   - saying: what the list of files says of the size of each; the truth when nil.
    ///   - emptyBlocks: of which nothing comes, before what each file has.
    static func archive(
        _ files: [(name: String, bytes: [UInt8])], saying: UInt32? = nil, emptyBlocks: Int = 0
    ) -> [UInt8] {
        var (archive, list): ([UInt8], [UInt8]) = ([], [])
        for (name, bytes) in files {
            var deflate = RunningDeflate()
            let hollow = [UInt8](repeatingPattern: [0, 0, 0, 0xff, 0xff], count: emptyBlocks)
            let packed = hollow + deflate.pack(bytes, isLast: true)
            var crc = RunningCRC32()
            crc.update(bytes[...])
            let size = saying ?? UInt32(bytes.count)
            let facts =
                numbers(2, 20, 0, 8, 0, 0x21) + numbers(4, Int(crc.value), packed.count, Int(size))
                + numbers(2, name.utf8.count, 0)
            list += [0x50, 0x4b, 1, 2] + numbers(2, 20) + facts + numbers(2, 0, 0, 0) + numbers(4, 0, archive.count)
            list += Array(name.utf8)
            archive += [0x50, 0x4b, 3, 4] + facts + Array(name.utf8) + packed
        }
        let end = numbers(2, 0, 0, files.count, files.count) + numbers(4, list.count, archive.count) + numbers(2, 0)
        return archive + list + [0x50, 0x4b, 5, 6] + end
    }

    /// Numbers of so many bytes, the lowest first.
    private static func numbers(_ count: Int, _ numbers: Int...) -> [UInt8] {
        numbers.flatMap { number in (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
    }
}
