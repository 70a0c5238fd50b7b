import Bytes
import PlaceContracts
import Geo
import Synchronization
import Texts
import Wire

/// The names of all places: an index for each snapshot, in files beside it. Reading a large one takes minutes, so calls
/// never do it: they find the names of what was read before, and of what live networks have just found.
final class PlaceNames: Sendable {
    private struct Entry {
        /// Kept, so that no other one gets its identity.
        let snapshot: Snapshot
        /// Nil while it is being read.
        var indexes: [NameIndex]?
    }

    /// A snapshot of so many places is read by the call that needs it.
    private static let fewPlaces = 70_000

    private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

    /// The indexes of a snapshot; nil when it was not read yet.
    func indexes(of snapshot: Snapshot) -> [NameIndex]? {
        entries.withLock { $0[ObjectIdentifier(snapshot)]?.indexes }
    }

    /// The names, read first if that takes hardly any time. Blocks.
    func indexes(reading snapshot: Snapshot, checkpoint: () throws -> Void) throws -> [NameIndex]? {
        if !snapshot.isInFile, snapshot.count <= Self.fewPlaces { try read(snapshot, checkpoint: checkpoint) }
        return indexes(of: snapshot)
    }

    /// Reads a snapshot, unless that was done or is being done: opens its indexes, or makes them. Blocks, for long when
    /// it is large; `checkpoint` ends it by throwing.
    func read(_ snapshot: Snapshot, checkpoint: () throws -> Void) throws {
        let id = ObjectIdentifier(snapshot)
        let isNew = entries.withLock { entries in
            guard entries[id] == nil else { return false }
            entries[id] = Entry(snapshot: snapshot)
            return true
        }
        guard isNew else { return }
        do {
            let indexes = try Self.open(snapshot) ?? Self.make(snapshot, checkpoint)
            entries.withLock { $0[id]?.indexes = indexes }
        } catch {
            entries.withLock { _ = $0.removeValue(forKey: id) }
            throw error
        }
    }

    /// Drops what was replaced or removed, and reads what is new, one after the other.
    /// - Parameter hasGazetteer: whether towns are found there, in more languages.
    func prepare(_ view: CatalogView, hasGazetteer: Bool, checkpoint: () throws -> Void) throws {
        let present = Set(view.set.snapshots.map { ObjectIdentifier($0) })
        entries.withLock { entries in
            entries = entries.filter { id, entry in entry.indexes == nil || present.contains(id) }
        }
        for (snapshot, origin) in zip(view.set.snapshots, view.origins) where !(hasGazetteer && origin.isTowns) {
            try read(snapshot, checkpoint: checkpoint)
        }
    }

    private static func open(_ snapshot: Snapshot) -> [NameIndex]? {
        guard snapshot.isInFile else { return nil }
        return NameIndexWriter.open(path: snapshot.path, source: snapshot.fingerprint)
    }

    private static func make(_ snapshot: Snapshot, _ checkpoint: () throws -> Void) throws -> [NameIndex] {
        var writer = PlaceNameWriter(snapshot)
        for ordinal in 0..<UInt32(clamping: snapshot.count) { try writer.add(ordinal, checkpoint) }
        return try writer.finish()
    }
}

/// Makes the indexes of one snapshot.
private struct PlaceNameWriter {
    /// Places between two calls of `checkpoint`.
    private static let interval: UInt32 = 4096

    private let snapshot: Snapshot
    private var writer: NameIndexWriter
    private var folded = FoldedText()
    /// Addresses whose names were looked at, and streets and postcodes that were found, by their keys.
    private var seen: Set<UInt64> = []
    private var known: Set<UInt64> = []

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        writer = NameIndexWriter(path: snapshot.isInFile ? snapshot.path : nil, source: snapshot.fingerprint)
    }

    consuming func finish() throws -> [NameIndex] { try writer.finish() }

    /// Adds the names of a place; one that can't be read has none.
    mutating func add(_ ordinal: UInt32, _ checkpoint: () throws -> Void) throws {
        if ordinal % Self.interval == 0 { try checkpoint() }
        guard let place = try? PlaceReader.place(ordinal, in: snapshot) else { return }
        let points = PlaceWeight.points(of: place)
        // Of a house that has nothing but an address only streets and postcodes are names.
        if !place.categories.contains(AddressCategory.path) { try add(place.name, ordinal, points) }
        if let short = AirportName.short(place) { try add(short, ordinal, points, of: .otherName) }
        for attribute in place.attributes {
            if NameKeys.contains(attribute.key) {
                for name in attribute.value.split(at: ";") {
                    try add(String(name), ordinal, points, of: .otherName)
                }
            } else if attribute.key == LineKey.attribute {
                try writer.add(LineKey.name(attribute.value), item: ordinal, points: points, of: .otherName)
            } else if PlaceWeight.codes.contains(attribute.key) {
                try add(attribute.value, ordinal, points, of: .otherName)
            }
        }
        guard let address = Address(near: place, nil), seen.insert(AddressNames.key(of: address)).inserted else {
            return
        }
        for name in AddressNames(address).all where known.insert(name.key).inserted {
            try add(name.text, ordinal, AddressNames.points, of: name.subject)
        }
    }

    private mutating func add(_ name: String, _ item: UInt32, _ points: Double, of subject: NameSubject = .thing) throws
    {
        folded.removeAll()
        folded.add(name)
        try writer.add(folded.bytes, item: item, points: points, of: subject)
    }
}

/// Places of a snapshot by their numbers.
enum PlaceReader {
    /// The place; nil when its record can't be read.
    static func place(_ ordinal: UInt32, in snapshot: Snapshot) throws -> Place? {
        try unsafe snapshot.withPlace(ordinal) { _, record in
            guard let message = unsafe StoredPlace.message(of: record) else { return nil }
            return try? unsafe Place(packed: message)
        }
    }
}
