import Synchronization

/// Places in a memory-mapped file, or in memory in the same form, open for reading.
///
/// `@unchecked Sendable`: every stored property is a constant set in `init`; the pointers lead into a read-only
/// mapping that lives as long as this object and whose file is never written again; the cache has a lock.
@safe
package final class Snapshot: @unchecked Sendable {
    /// The path it was opened from; by now another file may have that name.
    package let path: String
    /// The number of places.
    package let count: Int
    /// No other that was opened in this process has it: what is known of a snapshot can be kept without keeping it.
    package let number = Snapshot.lastNumber.wrappingAdd(1, ordering: .relaxed).newValue

    let file: MappedFile
    let sections: SnapshotSections
    let categories: CategorySets
    let tree: SnapshotTree
    let records: SnapshotRecords
    let lookup: UnsafeRawBufferPointer
    let verdicts = VerdictCache()

    /// Opens a file: reads and checks header, section table, tree and categories, which takes time in the number of
    /// blocks. What lies in the other sections is bounds-checked on each access, and wholly by `verify()`.
    package convenience init(path: String) throws(GeoError) {
        try self.init(MappedFile(path: path), path: path)
    }

    /// Opens what a builder has written to memory.
    convenience init(memory: [UInt8]) throws(GeoError) {
        try self.init(MappedFile(copying: memory), path: Self.memoryPath)
    }

    /// Stands for the path of a snapshot that is in no file.
    static let memoryPath = "memory"

    private static let lastNumber = Atomic<UInt64>(0)

    private init(_ file: consuming MappedFile, path: String) throws(GeoError) {
        self.path = path
        let bytes = unsafe file.bytes
        let sections = try unsafe SnapshotSections(bytes, path: path)
        for section in SnapshotLayout.Section.checkedAtOpen {
            try unsafe sections.verify(section, bytes, path: path)
        }
        func part(_ section: SnapshotLayout.Section) -> UnsafeRawBufferPointer {
            unsafe UnsafeRawBufferPointer(rebasing: bytes[sections.range(section)])
        }
        count = sections.places
        categories = try unsafe CategorySets(
            names: part(.categories), sets: part(.sets), count: sections.sets, path: path)
        tree = unsafe SnapshotTree(sections, bytes)
        records = unsafe SnapshotRecords(
            places: count, starts: part(.starts), records: part(.records))
        unsafe lookup = part(.lookup)
        self.sections = sections
        self.file = file
    }

    /// Compares every checksum of the file, so that any changed byte is found; reads all of it and blocks.
    package func verify() throws(GeoError) {
        for section in SnapshotLayout.Section.allCases { try unsafe sections.verify(section, file.bytes, path: path) }
        try unsafe sections.verifyGaps(file.bytes, path: path)
    }

    /// The file's length.
    package var fileBytes: Int { unsafe file.bytes.count }

    /// Whether it was opened from a file, and not made in memory.
    package var isInFile: Bool { path != Self.memoryPath }

    /// Identifies what it contains: the checksum of its header, which has those of all sections.
    package var fingerprint: UInt64 { unsafe file.bytes.number(at: 56, as: UInt64.self) }

    /// All categories that its places have, as UTF-8.
    package var categoryNames: [[UInt8]] { categories.names }

    /// All of the file but the ids (with their length byte) and records.
    package var indexBytes: Int { fileBytes - sections.range(.records).count }

    /// A place's coordinate. Ordinals come from hits; one beyond the dataset is refused.
    package func coordinate(of ordinal: UInt32) throws(GeoError) -> Coordinate {
        guard ordinal < count else { throw unknown(ordinal) }
        let point = tree.point(Int(ordinal))
        guard point.isInRange else { throw offEarth(ordinal) }
        return point
    }

    /// Gives a place's id and record bytes, straight from the mapping and valid only inside of `body`.
    package func withPlace<R>(
        _ ordinal: UInt32, _ body: (_ id: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws -> R
    ) throws -> R {
        guard ordinal < count else { throw unknown(ordinal) }
        let place = try unsafe place(ordinal)
        return try unsafe body(place.id, place.record)
    }

    private func unknown(_ ordinal: UInt32) -> GeoError {
        .outOfRange(field: "ordinal", value: "\(ordinal)", allowed: "below \(count) is")
    }
}
