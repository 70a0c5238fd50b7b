import Geo
import Synchronization

/// The addresses of all datasets, and the bundled ones. Scanning a large dataset takes minutes, so calls never do it:
/// they find the addresses of what was scanned before.
final class StreetAddresses: Sendable {
    private struct Entry {
        /// Kept, so that no other one gets its identity.
        let snapshot: Snapshot
        /// Nil while it is being read.
        var index: AddressIndex?
    }

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])
    /// How streets are shortened, here and in what is looked for.
    let words: StreetWords
    private let bundled: [AddressKey: [Address]]
    private let bundledByStreet: [UInt64: [Address]]
    /// Of the bundled ones, those with a street or a postcode that none before has.
    let bundledFirst: [Address]
    /// The words of these names, whose items are their indexes; nil when there are none.
    let bundledNames: NameIndex?

    init(bundled: [Address] = [], words: StreetWords = StreetWords()) {
        self.words = words
        var known: Set<UInt64> = []
        bundledFirst = bundled.filter { address in
            AddressNames(address).all.map { known.insert($0.key).inserted }.contains(true)
        }
        bundledNames = (try? NameIndexWriter.memory(of: bundledFirst)) ?? nil
        let entries = bundled.flatMap { address in address.keys(words).map { ($0, [address]) } }
        self.bundled = Dictionary(entries, uniquingKeysWith: +)
        bundledByStreet = Dictionary(grouping: bundled) { $0.key(words).street }
    }

    /// All addresses with this key, of the datasets that were read. `checkpoint` ends it by throwing.
    func addresses(
        of key: AddressKey, in view: CatalogView, checkpoint: () throws -> Void
    ) throws -> [Address] {
        let found = try addresses(in: view, checkpoint) { $0.ordinals(of: key) }
        return (bundled[key] ?? []) + found.filter { $0.keys(words).contains(key) }
    }

    /// The addresses in a street, given by its hash: of each source at most `maximum`.
    func addresses(
        ofStreet street: UInt64, in view: CatalogView, maximum: Int, checkpoint: () throws -> Void
    ) throws -> [Address] {
        let found = try addresses(in: view, checkpoint) { $0.ordinals(ofStreet: street, maximum: maximum) }
        return (bundledByStreet[street] ?? []).prefix(maximum) + found.filter { $0.key(words).street == street }
    }

    private func addresses(
        in view: CatalogView, _ checkpoint: () throws -> Void, _ ordinals: (AddressIndex) -> [UInt32]
    ) throws -> [Address] {
        var found: [Address] = []
        for dataset in view.datasets {
            for ordinal in index(of: dataset).map(ordinals) ?? [] {
                try checkpoint()
                if let address = try AddressIndex.address(ordinal, in: dataset) { found.append(address) }
            }
        }
        return found
    }

    /// Whether all datasets were read.
    func isReady(_ view: CatalogView) -> Bool { view.datasets.allSatisfy { index(of: $0) != nil } }

    /// Reads a dataset, unless that was done or is being done. Blocks, for long when it is large; `checkpoint` ends it
    /// by throwing.
    func read(_ dataset: CatalogView.Dataset, checkpoint: () throws -> Void) throws {
        let id = ObjectIdentifier(dataset.snapshot)
        let isNew = entries.withLock { entries in
            guard entries[id] == nil else { return false }
            entries[id] = Entry(snapshot: dataset.snapshot)
            return true
        }
        guard isNew else { return }
        do {
            let index = try AddressIndex(dataset, words, checkpoint: checkpoint)
            entries.withLock { $0[id]?.index = index }
        } catch {
            entries.withLock { _ = $0.removeValue(forKey: id) }
            throw error
        }
    }

    /// Drops datasets that were replaced or removed, and reads new ones, one after the other.
    func prepare(_ view: CatalogView, checkpoint: () throws -> Void) throws {
        let present = Set(view.datasets.map { ObjectIdentifier($0.snapshot) })
        entries.withLock { entries in
            entries = entries.filter { id, entry in entry.index == nil || present.contains(id) }
        }
        for dataset in view.datasets { try read(dataset, checkpoint: checkpoint) }
    }

    private func index(of dataset: CatalogView.Dataset) -> AddressIndex? {
        entries.withLock { $0[ObjectIdentifier(dataset.snapshot)]?.index }
    }
}

extension StreetAddresses {
    /// With the addresses of the bundled city, which has more of them than named places. Blocks.
    convenience init(bundledIn folder: String) throws(PlacesError) {
        var table = try BundledTable(path: "\(folder)/helsinki/addresses.tsv.gz")
        let (street, number) = (try table.column("street"), try table.column("housenumber"))
        let (postcode, city) = (try table.column("postcode"), try table.column("city"))
        let (latitude, longitude) = (try table.column("lat"), try table.column("lon"))
        var addresses: [Address] = []
        while try table.next() {
            let point = (try table.degreesE7(latitude), try table.degreesE7(longitude))
            guard let position = try? Geo.Coordinate(latitudeE7: point.0, longitudeE7: point.1) else { continue }
            addresses.append(
                Address(
                    street: try table.text(street), number: try table.text(number),
                    postcode: try table.text(postcode), city: try table.text(city), position: position,
                    attribution: "© OpenStreetMap contributors", licence: "ODbL-1.0"))
        }
        self.init(bundled: addresses, words: try StreetWords(bundledIn: folder))
    }
}
