/// Where a chunk of a file is: in which pack, and at which place there.
struct ChunkPlace: Equatable, Sendable {
    /// The number of the pack in its listing.
    let pack: UInt32
    let slot: UInt16
    let hash: ChunkHash
}

/// A chunk's BLAKE2b of 16 bytes.
struct ChunkHash: Hashable, Sendable {
    static let byteCount = 16

    let high: UInt64
    let low: UInt64
}
