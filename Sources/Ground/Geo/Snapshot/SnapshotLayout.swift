/// The snapshot file, format 1. All numbers little endian, every section starts at a multiple of 64 bytes (a
/// cache line), the gaps are zero.
///
///     header, 64 bytes
///       0  8 bytes   magic "WMKPLACE"
///       8  UInt32    format version
///      12  UInt32    number of sections (9)
///      16  UInt64    number of places N
///      24  UInt64    number of category sets S
///      32  UInt64    file length in bytes
///      40  16 bytes  zero
///      56  UInt64    checksum of bytes 0 ..< 56 and of the section table
///     section table, 9 entries of 24 bytes, in the order of `Section`
///       0  UInt64    offset in the file
///       8  UInt64    length in bytes
///      16  UInt64    checksum of the section's bytes
///
/// Places are sorted along the Hilbert curve; the position in that order is a place's ordinal. 32 neighbours make a
/// block, B = ⌈N/32⌉. Blocks are the lowest level of a packed tree; 16 nodes of a level make one node of the next,
/// until one group of at most 16 is left. Nothing points anywhere: children are found by position.
///
///     tree         per group of 16 nodes: 16 × south, 16 × north, 16 × west, 16 × east (Int32, 1e-7 degrees);
///                  lowest level first, every level filled up to whole groups
///     masks        per block, UInt64: bit (s mod 64) is set for each category set s found in it
///     categories   UInt32 count C, then C × (UInt8 length, bytes): the names
///     sets         (S + 1) × UInt32: starts in what follows; then UInt32 category numbers of each set, ascending
///     points       per block: 32 × latitude, 32 × longitude (Int32, 1e-7 degrees); the last block is filled with 0
///     setNumbers   N × UInt32: each place's category set
///     starts       (B + 1) × UInt64: where a block's records start in `records`; then N × UInt32: each record's
///                  start relative to its block's
///     lookup       open addressing by the id's checksum: slots of UInt32, ordinal + 1 or 0 for empty
///     records      per place: UInt8 length of the id, id bytes, record bytes
enum SnapshotLayout {
    static let magic: [UInt8] = Array("WMKPLACE".utf8)
    static let version: UInt32 = 1
    static let headerBytes = 64
    static let entryBytes = 24
    static let blockPlaces = 32
    static let groupNodes = 16
    static let groupBytes = groupNodes * 16
    static let maximumIDBytes = 255
    static let maximumCategoryBytes = 255
    static let maximumRecordBytes = 16 << 20
    /// Ordinals and slots are UInt32, and one value means "none".
    static let maximumPlaces = Int(UInt32.max) - 1

    enum Section: Int, CaseIterable {
        case tree, masks, categories, sets, points, setNumbers, starts, lookup, records

        /// Small sections whose checksums are compared when a file is opened; the others only by `verify()`.
        static let checkedAtOpen: [Section] = [.tree, .masks, .categories, .sets]
    }

    static let tableBytes = Section.allCases.count * entryBytes

    static func blocks(of places: Int) -> Int { (places + blockPlaces - 1) / blockPlaces }

    /// Nodes on each level of the tree, blocks first. No places: no level.
    static func levels(of places: Int) -> [Int] {
        guard places > 0 else { return [] }
        var levels = [blocks(of: places)]
        while let last = levels.last, last > groupNodes { levels.append((last + groupNodes - 1) / groupNodes) }
        return levels
    }

    static func groups(of nodes: Int) -> Int { (nodes + groupNodes - 1) / groupNodes }

    /// Slots of the look-up table: at most three quarters are taken, so that runs stay short.
    static func slots(of places: Int) -> Int { places + places / 3 + 1 }

    /// The slot where the search for an id starts: the hash scaled down, no division.
    static func slot(of hash: UInt64, among slots: Int) -> Int {
        Int(truncatingIfNeeded: hash.multipliedFullWidth(by: UInt64(slots)).high)
    }

    static func aligned(_ bytes: Int) -> Int { (bytes + 63) & ~63 }

    static let firstSection = aligned(headerBytes + tableBytes)
}
