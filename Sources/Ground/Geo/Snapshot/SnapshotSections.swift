/// Header and section table of a mapped file, checked against the file's length and each other. After this every
/// section lies inside the file and has exactly the length that the number of places asks for.
struct SnapshotSections {
    typealias Section = SnapshotLayout.Section

    let places: Int
    let sets: Int
    private let offsets: [Int]
    private let lengths: [Int]
    private let checksums: [UInt64]

    init(_ bytes: UnsafeRawBufferPointer, path: String) throws(GeoError) {
        let headerBytes = SnapshotLayout.headerBytes
        guard unsafe bytes[0..<8].elementsEqual(SnapshotLayout.magic) else {
            throw .corrupt(path: path, reason: "it is not a snapshot (no magic)")
        }
        let version = unsafe bytes.number(at: 8, as: UInt32.self)
        guard version == SnapshotLayout.version else {
            throw .unsupportedVersion(path: path, found: version, supported: SnapshotLayout.version)
        }
        var covered = unsafe Array(bytes[0..<56])
        unsafe covered.append(contentsOf: bytes[headerBytes..<(headerBytes + SnapshotLayout.tableBytes)])
        guard unsafe Checksum.of(covered) == bytes.number(at: 56, as: UInt64.self) else {
            throw .corrupt(path: path, reason: "the header's checksum does not match")
        }
        let numbers = [16, 24, 32].map { unsafe Int(exactly: bytes.number(at: $0, as: UInt64.self)) ?? -1 }
        guard (0...SnapshotLayout.maximumPlaces).contains(numbers[0]), (0...Int(UInt32.max)).contains(numbers[1]) else {
            throw .corrupt(path: path, reason: "the header's counts are out of range")
        }
        guard numbers[2] == bytes.count else {
            throw .corrupt(path: path, reason: "it has \(bytes.count) bytes, its header says \(numbers[2])")
        }
        places = numbers[0]
        sets = numbers[1]
        let entries = Section.allCases.map { headerBytes + $0.rawValue * SnapshotLayout.entryBytes }
        offsets = entries.map { unsafe Int(exactly: bytes.number(at: $0, as: UInt64.self)) ?? -1 }
        lengths = entries.map { unsafe Int(exactly: bytes.number(at: $0 + 8, as: UInt64.self)) ?? -1 }
        checksums = entries.map { unsafe bytes.number(at: $0 + 16, as: UInt64.self) }
        try checkPlacement(fileBytes: bytes.count, path: path)
        try checkLengths(path: path)
    }

    func range(_ section: Section) -> Range<Int> {
        offsets[section.rawValue]..<(offsets[section.rawValue] + lengths[section.rawValue])
    }

    func verify(_ section: Section, _ bytes: UnsafeRawBufferPointer, path: String) throws(GeoError) {
        let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[range(section)])
        guard unsafe Checksum.of(part) == checksums[section.rawValue] else {
            throw .corrupt(path: path, reason: "the checksum of section \(section) does not match")
        }
    }

    /// The bytes between sections, which no checksum covers, must be zero.
    func verifyGaps(_ bytes: UnsafeRawBufferPointer, path: String) throws(GeoError) {
        let ends =
            [SnapshotLayout.headerBytes + SnapshotLayout.tableBytes] + Section.allCases.map { range($0).upperBound }
        let starts = Section.allCases.map { range($0).lowerBound } + [bytes.count]
        for (end, start) in zip(ends, starts) {
            guard unsafe bytes[end..<start].allSatisfy({ $0 == 0 }) else {
                throw .corrupt(path: path, reason: "the gap before byte \(start) is not empty")
            }
        }
    }

    private func checkPlacement(fileBytes: Int, path: String) throws(GeoError) {
        var start = SnapshotLayout.firstSection
        for section in Section.allCases {
            let length = lengths[section.rawValue]
            guard offsets[section.rawValue] == start, length >= 0, length <= fileBytes - start else {
                throw .corrupt(path: path, reason: "section \(section) lies outside of the file")
            }
            start += SnapshotLayout.aligned(length)
        }
        guard start == fileBytes else { throw .corrupt(path: path, reason: "bytes follow the last section") }
    }

    private func checkLengths(path: String) throws(GeoError) {
        let blocks = SnapshotLayout.blocks(of: places)
        let groups = SnapshotLayout.levels(of: places).reduce(0) { $0 + SnapshotLayout.groups(of: $1) }
        let expected: [Section: Int] = [
            .tree: groups * SnapshotLayout.groupBytes, .masks: blocks * 8,
            .points: blocks * SnapshotLayout.blockPlaces * 8, .setNumbers: places * 4,
            .starts: (blocks + 1) * 8 + places * 4, .lookup: SnapshotLayout.slots(of: places) * 4,
        ]
        for (section, length) in expected where lengths[section.rawValue] != length {
            throw .corrupt(
                path: path, reason: "section \(section) has \(lengths[section.rawValue]) bytes, not \(length)")
        }
    }
}

extension UnsafeRawBufferPointer {
    /// A little-endian number at an offset that the caller knows to be inside.
    @inline(__always)
    func number<T: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: T.Type) -> T {
        T(littleEndian: unsafe loadUnaligned(fromByteOffset: offset, as: type))
    }
}
