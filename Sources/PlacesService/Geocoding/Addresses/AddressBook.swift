import Geo
import Synchronization

/// The addresses of all datasets, and those that are bundled besides. A dataset is read when the first address is
/// asked for after it came, or by `prepare`; replaced and removed ones are forgotten then.
final class AddressBook: Sendable {
    private struct Known {
        let snapshot: Snapshot
        let index: AddressIndex
    }

    private let known = Mutex<[DatasetName: Known]>([:])
    private let bundled: [UInt64: [Address]]

    init(bundled: [Address] = []) {
        let entries = bundled.flatMap { address in address.keys.map { ($0, [address]) } }
        self.bundled = Dictionary(entries, uniquingKeysWith: +)
    }

    /// All addresses with this key. Blocks, for long after a large dataset came; `checkpoint` ends it by throwing.
    func addresses(of key: UInt64, in view: CatalogView, checkpoint: () throws -> Void) throws -> [Address] {
        forgetAll(but: view)
        var found = bundled[key] ?? []
        for dataset in view.datasets {
            let index = try index(dataset, checkpoint)
            found += try index.ordinals(of: key).compactMap { try AddressIndex.address($0, in: dataset) }
        }
        return found
    }

    /// Reads datasets that came since, so that no call has to wait for it. Blocks, for long after a large one came.
    func prepare(_ view: CatalogView, checkpoint: () throws -> Void) throws {
        forgetAll(but: view)
        for dataset in view.datasets { _ = try index(dataset, checkpoint) }
    }

    private func index(_ dataset: CatalogView.Dataset, _ checkpoint: () throws -> Void) throws -> AddressIndex {
        let present = known.withLock { $0[dataset.name] }
        if let present, present.snapshot === dataset.snapshot { return present.index }
        let index = try AddressIndex(dataset, checkpoint: checkpoint)
        known.withLock { $0[dataset.name] = Known(snapshot: dataset.snapshot, index: index) }
        return index
    }

    private func forgetAll(but view: CatalogView) {
        known.withLock { known in
            known = known.filter { name, entry in view.dataset(name)?.snapshot === entry.snapshot }
        }
    }
}

extension AddressBook {
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
        self.init(bundled: addresses)
    }
}
