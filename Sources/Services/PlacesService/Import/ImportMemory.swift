/// The memory that the tables of an import share. Each is sorted in its part, and what is more goes to files; more
/// memory makes an import hardly faster.
struct ImportMemory: Sendable {
    /// Tables that grow at the same time, as many as there are while ways are read: lines, areas, tiles, and rows by
    /// two keys; and room for what a block holds.
    private static let tables = 8

    var bytes = 256 << 20

    var ofTable: Int { bytes / Self.tables }
}
