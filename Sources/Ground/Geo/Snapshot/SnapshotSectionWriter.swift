/// Writes sections one after the other, each padded to a cache line, and at the end the header and the section table;
/// to a file, or to memory.
struct SnapshotSectionWriter: ~Copyable {
    /// Nil: the snapshot stays in memory.
    private var file: SnapshotFileWriter?
    private(set) var memory: [UInt8] = []
    private var buffer: [UInt8] = []
    private var checksum = Checksum()
    private var start = SnapshotLayout.firstSection
    private var length = 0
    private var table: [UInt8] = []
    /// A multiple of 32, as the checksum requires.
    private static let bufferBytes = 1 << 16

    init(path: String) throws(GeoError) {
        file = try SnapshotFileWriter(path: path)
        buffer.reserveCapacity(Self.bufferBytes)
        try write([UInt8](repeating: 0, count: start))
    }

    /// What is written is buffered in `memory`.
    init(inMemory: Void) {
        file = nil
        memory = [UInt8](repeating: 0, count: start)
    }

    mutating func put(_ number: some FixedWidthInteger) throws(GeoError) {
        if buffer.count + 8 > Self.bufferBytes { try drain() }
        buffer.appendLittleEndian(number)
    }

    mutating func put(_ bytes: UnsafeRawBufferPointer) throws(GeoError) {
        var at = 0
        while at < bytes.count {
            if buffer.count == Self.bufferBytes { try drain() }
            let part = min(bytes.count - at, Self.bufferBytes - buffer.count)
            unsafe buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[at..<(at + part)]))
            at += part
        }
    }

    /// Ends a section: its place, length and checksum go into the table.
    mutating func endSection() throws(GeoError) {
        length += buffer.count
        unsafe buffer.withUnsafeBytes { unsafe checksum.add($0) }
        table.appendLittleEndian(UInt64(start))
        table.appendLittleEndian(UInt64(length))
        table.appendLittleEndian(checksum.value)
        let padding = SnapshotLayout.aligned(length) - length
        buffer.append(contentsOf: repeatElement(0, count: padding))
        try write(buffer)
        buffer.removeAll(keepingCapacity: true)
        start += length + padding
        length = 0
        checksum = Checksum()
    }

    /// Fills in header and table and puts the file, if there is one, in place; gives the length.
    mutating func commit(places: Int, sets: Int) throws(GeoError) -> Int {
        var header = SnapshotLayout.magic
        header.appendLittleEndian(SnapshotLayout.version)
        header.appendLittleEndian(UInt32(SnapshotLayout.Section.allCases.count))
        for number in [places, sets, start, 0, 0] { header.appendLittleEndian(UInt64(number)) }
        header.appendLittleEndian(Checksum.of(header + table))
        if file == nil {
            memory.replaceSubrange(..<(header.count + table.count), with: header + table)
        } else {
            try file?.overwrite(at: 0, with: header + table)
            try file?.commit()
        }
        return start
    }

    /// Passes on what is buffered, but for less than 32 bytes.
    private mutating func drain() throws(GeoError) {
        let whole = buffer.count & ~31
        unsafe buffer.withUnsafeBytes { unsafe checksum.add(UnsafeRawBufferPointer(rebasing: $0[..<whole])) }
        try unsafe buffer.withUnsafeBufferPointer { bytes throws(GeoError) in
            try unsafe write(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes[..<whole])))
        }
        length += whole
        buffer.removeFirst(whole)
    }

    private mutating func write(_ bytes: [UInt8]) throws(GeoError) {
        try unsafe bytes.withUnsafeBufferPointer { bytes throws(GeoError) in
            try unsafe write(UnsafeRawBufferPointer(bytes))
        }
    }

    private mutating func write(_ bytes: UnsafeRawBufferPointer) throws(GeoError) {
        if file == nil {
            unsafe memory.append(contentsOf: bytes)
        } else {
            try unsafe file?.write(bytes)
        }
    }
}

extension [UInt8] {
    mutating func appendLittleEndian(_ number: some FixedWidthInteger) {
        unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
    }
}
