import Geo
import Glibc

/// Countries, regions and towns by their names, in a mapped file.
///
/// `@unchecked Sendable`: its properties are constants; the pointer leads into a read-only mapping that lives as long
/// as this object and whose file is never written again.
@safe
final class Gazetteer: @unchecked Sendable {
    /// The file can't be used and is to be rebuilt.
    struct Unusable: Error {}

    private let file: MappedFile
    private let layout: GazetteerLayout

    /// Opens a file of this edition. Reads and checks all of it.
    init(path: String, edition: UInt64) throws {
        let file = try MappedFile(path: path)
        let bytes = unsafe file.bytes
        guard unsafe bytes.prefix(8).elementsEqual(GazetteerLayout.magic) else { throw Unusable() }
        let layout = unsafe GazetteerLayout(header: bytes)
        guard layout.fileBytes == bytes.count,
            unsafe bytes.word(at: 16, UInt64.self) == edition,
            unsafe Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[GazetteerLayout.checkedFrom...]))
                == bytes.word(at: 8, UInt64.self)
        else { throw Unusable() }
        // The check has touched every page; only pages used by look-ups should stay in memory.
        _ = unsafe madvise(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count, MADV_DONTNEED)
        self.file = file
        self.layout = layout
    }

    /// The number of countries, regions and towns.
    var count: Int { layout.records }
    var fileBytes: Int { layout.fileBytes }

    /// The records with a name, given by the hash of its key: those with most people first, at most `maximum`.
    func targets(of hash: UInt64, maximum: Int) -> [GazetteerTarget] {
        var index = firstName(notBelow: hash)
        var found: [GazetteerTarget] = []
        while index < layout.names, found.count < maximum, hashOfName(index) == hash {
            let packed = unsafe file.bytes.word(at: layout.targetsAt + index * GazetteerLayout.targetBytes, UInt32.self)
            if let target = GazetteerTarget(packed: packed) { found.append(target) }
            index += 1
        }
        return found
    }

    /// A record; nil when there is none with this number, or it is invalid.
    func record(_ index: UInt32) -> GazetteerRecord? {
        guard index < layout.records else { return nil }
        let at = layout.recordsAt + Int(index) * GazetteerLayout.recordBytes
        func word<N: FixedWidthInteger>(_ offset: Int, _ type: N.Type) -> N {
            unsafe file.bytes.word(at: at + offset, type)
        }
        guard let kind = GazetteerRecord.Kind(rawValue: word(26, UInt8.self)),
            let position = try? Geo.Coordinate(latitudeE7: word(0, Int32.self), longitudeE7: word(4, Int32.self))
        else { return nil }
        let name = Int(word(16, UInt32.self))
        return GazetteerRecord(
            kind: kind, position: position, population: word(8, UInt32.self), sourceID: word(12, UInt32.self),
            country: word(20, UInt16.self), region: word(22, UInt16.self),
            name: name..<name + Int(word(24, UInt16.self)), code: word(28, UInt16.self))
    }

    /// The box around a country or a region; nil for others.
    func extent(_ index: UInt32) -> Geo.Box? {
        guard index < layout.extents else { return nil }
        let at = layout.extentsAt + Int(index) * GazetteerLayout.extentBytes
        func edge(_ offset: Int) -> Double { Double(unsafe file.bytes.word(at: at + offset, Int32.self)) / 1e7 }
        return try? Geo.Box(south: edge(0), west: edge(4), north: edge(8), east: edge(12))
    }

    /// A text; empty when it lies outside.
    func text(_ range: Range<Int>) -> String {
        guard range.upperBound <= layout.textBytes else { return "" }
        let place = layout.textsAt + range.lowerBound..<layout.textsAt + range.upperBound
        return unsafe String(decoding: file.bytes[place], as: UTF8.self)
    }

    private func hashOfName(_ index: Int) -> UInt64 {
        unsafe file.bytes.word(at: layout.hashesAt + index * GazetteerLayout.hashBytes, UInt64.self)
    }

    private func firstName(notBelow hash: UInt64) -> Int {
        Self.first(of: layout.names) { hashOfName($0) >= hash }
    }

    /// The first number below `count` for which an ascending condition holds, or `count`.
    private static func first(of count: Int, where holds: (Int) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if holds(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

// MARK: spellings

extension Gazetteer {
    /// Calls `body` for the spellings that may be at most `changes` letters away from a folded text.
    func forEachSpelling(
        near text: [UInt8], changes: Int,
        _ body: (_ target: GazetteerTarget, _ spelling: UnsafeRawBufferPointer) -> Void
    ) {
        let letters = LetterSet(text)
        var index = Self.first(of: layout.spellings) { lengthOfSpelling($0) >= text.count - changes }
        while index < layout.spellings, lengthOfSpelling(index) <= text.count + changes {
            let bits = unsafe file.bytes.word(at: spellingAt(index), UInt32.self)
            if LetterSet(bits: bits).leastChanges(to: letters) <= changes { unsafe give(index, to: body) }
            index += 1
        }
    }

    private func give(_ index: Int, to body: (GazetteerTarget, UnsafeRawBufferPointer) -> Void) {
        let at = spellingAt(index)
        let start = Int(unsafe file.bytes.word(at: at + 8, UInt32.self))
        let end = start + lengthOfSpelling(index)
        guard end <= layout.textBytes,
            let target = GazetteerTarget(packed: unsafe file.bytes.word(at: at + 4, UInt32.self))
        else { return }
        unsafe body(
            target, UnsafeRawBufferPointer(rebasing: file.bytes[layout.textsAt + start..<layout.textsAt + end]))
    }

    private func spellingAt(_ index: Int) -> Int { layout.spellingsAt + index * GazetteerLayout.spellingBytes }

    private func lengthOfSpelling(_ index: Int) -> Int {
        Int(unsafe file.bytes.word(at: spellingAt(index) + 12, UInt16.self))
    }
}

extension GazetteerLayout {
    /// What a header of at least 64 bytes says.
    fileprivate init(header: UnsafeRawBufferPointer) {
        func count(_ index: Int) -> Int { Int(unsafe header.word(at: 24 + index * 4, UInt32.self)) }
        self.init(names: count(0), records: count(1), extents: count(2), spellings: count(3), textBytes: count(4))
    }
}

extension UnsafeRawBufferPointer {
    /// A little-endian number; `offset` is known to lie inside.
    @inline(__always)
    fileprivate func word<N: FixedWidthInteger>(at offset: Int, _ type: N.Type) -> N {
        N(littleEndian: unsafe loadUnaligned(fromByteOffset: offset, as: type))
    }
}
