import Storage

/// What is fetched from packs, and where it goes: pack by pack, so that each is fetched once.
struct RestorePlan: Sendable {
    /// One chunk of a file.
    struct Need: Sendable {
        let pack: UInt32
        let slot: UInt16
        /// The number of the file in the listing, and of the chunk in the file.
        let file: UInt32
        let index: UInt32
    }

    private let needs: [Need]
    /// The needs of each pack, as ranges of `needs`.
    let packs: [Range<Int>]

    init(_ listing: Listing) {
        var needs: [Need] = []
        for (file, listed) in listing.files.enumerated() {
            for (index, chunk) in listed.chunks.enumerated() {
                needs.append(Need(pack: chunk.pack, slot: chunk.slot, file: UInt32(file), index: UInt32(index)))
            }
        }
        needs.sort { ($0.pack, $0.file, $0.index) < ($1.pack, $1.file, $1.index) }
        var packs: [Range<Int>] = []
        var start = 0
        for end in needs.indices.map({ $0 + 1 }) where end == needs.count || needs[end].pack != needs[start].pack {
            packs.append(start..<end)
            start = end
        }
        self.needs = needs
        self.packs = packs
    }

    func needs(_ range: Range<Int>) -> ArraySlice<Need> { needs[range] }
}
