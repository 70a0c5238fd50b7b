import PlaceContracts
import Geo
import Texts
import Wire

/// The addresses of one dataset: keys, ascending, each with the place that has it.
struct AddressIndex: Sendable {
    private struct Entry {
        let key: UInt64
        let ordinal: UInt32
    }

    /// More addresses of one dataset are not taken: 16 bytes each stay in memory.
    private static let maximum = 20_000_000
    /// Places between two calls of `checkpoint`.
    private static let placesPerLook = 4096
    /// Streets whose hashes are remembered while places are read.
    private static let maximumHashes = 50_000
    private static let streetKey = Array("street".utf8)

    private let entries: [Entry]

    /// Reads all places; one that can't be read has no address. Blocks; `checkpoint` ends it by throwing.
    init(_ dataset: CatalogView.Dataset, _ words: StreetWords, checkpoint: () throws -> Void) throws {
        var entries: [Entry] = []
        // Many addresses have the same street.
        var hashes: [String: UInt64] = [:]
        for ordinal in 0..<UInt32(clamping: dataset.snapshot.count) where entries.count < Self.maximum {
            if Int(ordinal) % Self.placesPerLook == 0 { try checkpoint() }
            guard let address = try? Self.address(ordinal, in: dataset) else { continue }
            if hashes.count >= Self.maximumHashes { hashes.removeAll() }
            let street = hashes[address.street] ?? AddressKey.hash(street: FoldedText(address.street).bytes, words)
            hashes[address.street] = street
            for key in address.keys(street: street) { entries.append(Entry(key: key.packed, ordinal: ordinal)) }
        }
        self.entries = entries.sorted { ($0.key, $0.ordinal) < ($1.key, $1.ordinal) }
    }

    /// Which places may have an address of this key.
    func ordinals(of key: AddressKey) -> [UInt32] {
        let packed = key.packed
        return entries[first(notBelow: packed)...].prefix { $0.key == packed }.map(\.ordinal)
    }

    /// Which places may have an address in this street, at most `maximum`.
    func ordinals(ofStreet street: UInt64, maximum: Int) -> [UInt32] {
        let lowest = AddressKey.lowest(ofStreet: street)
        return entries[first(notBelow: lowest)...].prefix(maximum).prefix { $0.key >> 32 == lowest >> 32 }.map(
            \.ordinal)
    }

    private func first(notBelow key: UInt64) -> Int {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key >= key { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// A place's address; nil when it has none.
    static func address(_ ordinal: UInt32, in dataset: CatalogView.Dataset) throws -> Address? {
        try unsafe dataset.snapshot.withPlace(ordinal) { _, record in
            guard let message = unsafe StoredPlace.message(of: record), unsafe hasStreet(message) else { return nil }
            return (try? unsafe Place(packed: message)).flatMap { Address($0, facts: dataset.facts) }
        }
    }

    /// Whether the packed place may have an attribute for its street: far cheaper than unpacking it.
    private static func hasStreet(_ message: UnsafeRawBufferPointer) -> Bool {
        var rest = unsafe message[...]
        while let start = unsafe rest.firstIndex(of: streetKey[0]) {
            unsafe rest = rest[start...]
            if unsafe rest.starts(with: streetKey) { return true }
            unsafe rest = rest.dropFirst()
        }
        return false
    }
}
