import Compression

/// A ZIP archive with one file, doc.kml, as its bytes are made: it can be written to what can't be sought in.
///
/// APPNOTE.TXT of PKWARE, section 4.3: the head says that the size and the CRC come behind the bytes.
struct KMZArchive: ~Copyable {
    private static let name = Array("doc.kml".utf8)
    /// The version that is needed for a folder or packed bytes, and by which it is made, on Unix.
    private static let (needed, madeBy): (UInt16, UInt16) = (20, 0x0314)
    /// 1980-01-01, the first day of ZIP's time.
    private static let firstDay: UInt16 = 0x21

    private var deflate = RunningDeflate()
    private var crc = RunningCRC32()
    private var byteCount: UInt32 = 0
    private var packedCount: UInt32 = 0
    private var hasBegun = false

    mutating func add(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
        var given: [UInt8] = []
        if !hasBegun {
            hasBegun = true
            given.add(four: 0x0403_4b50)
            given += facts(isKnown: false) + Self.name
        }
        crc.update(bytes[...])
        byteCount &+= UInt32(truncatingIfNeeded: bytes.count)
        let packed = deflate.pack(bytes, isLast: isLast)
        packedCount &+= UInt32(truncatingIfNeeded: packed.count)
        given += packed
        return isLast ? given + end() : given
    }

    private func end() -> [UInt8] {
        var end: [UInt8] = []
        end.add(four: 0x0807_4b50)
        for number in [crc.value, packedCount, byteCount] { end.add(four: number) }
        let headBytes = UInt32(30 + Self.name.count)
        let listStart = headBytes &+ packedCount &+ 16
        var list: [UInt8] = []
        list.add(four: 0x0201_4b50)
        list.add(two: Self.madeBy)
        list += facts(isKnown: true)
        // No comment, on the first disk, and readable by all.
        for number: UInt16 in [0, 0, 0] { list.add(two: number) }
        list.add(four: 0o100644 << 16)
        list.add(four: 0)
        list += Self.name
        end += list
        end.add(four: 0x0605_4b50)
        for number: UInt16 in [0, 0, 1, 1] { end.add(two: number) }
        end.add(four: UInt32(list.count))
        end.add(four: listStart)
        end.add(two: 0)
        return end
    }

    /// What the head and the list both say.
    private func facts(isKnown: Bool) -> [UInt8] {
        var facts: [UInt8] = []
        // Sizes come behind the bytes; they are packed; no time of the day.
        for number: UInt16 in [Self.needed, 8, 8, 0, Self.firstDay] { facts.add(two: number) }
        for number in isKnown ? [crc.value, packedCount, byteCount] : [0, 0, 0] { facts.add(four: number) }
        facts.add(two: UInt16(Self.name.count))
        facts.add(two: 0)
        return facts
    }
}

extension [UInt8] {
    fileprivate mutating func add(two number: UInt16) {
        self += [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }

    fileprivate mutating func add(four number: UInt32) {
        add(two: UInt16(truncatingIfNeeded: number))
        add(two: UInt16(truncatingIfNeeded: number >> 16))
    }
}
