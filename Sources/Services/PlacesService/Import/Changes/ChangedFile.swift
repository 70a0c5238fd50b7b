import FeatureFiles
import PlaceContracts

/// Applies changes to an .osm.pbf: gives the file that has them all. Elements stay where they are in it, and new ones
/// come where their ids belong, so a file that is sorted by kind and id, as nearly all are, stays so. Blobs in which
/// nothing changes are copied as they are stored.
struct ChangedFile: ~Copyable {
    /// The changes of a kind, and how far they are.
    private struct Pending {
        let kind: OSMElement.Kind
        let changes: [OSMChanges.Change]
        /// Those that the file has now, or that are gone from it.
        var isDone: [Bool]
        /// All before it are done, as far as the file is in order.
        var next = 0
        /// The highest id so far; nil from where ids don't ascend any more: what is left comes at the end then.
        var highest: Int64? = .min

        init(_ kind: OSMElement.Kind, _ changes: [OSMChanges.Change]) {
            (self.kind, self.changes) = (kind, changes)
            isDone = Array(repeating: false, count: changes.count)
        }

        /// The first whose id is not below this one.
        func index(from id: Int64) -> Int {
            var (low, high) = (0, changes.count)
            while low < high {
                let middle = (low + high) / 2
                if changes[middle].id < id { low = middle + 1 } else { high = middle }
            }
            return low
        }

        /// Whether a blob with these ids has to be written again.
        func concerns(_ ids: ClosedRange<Int64>) -> Bool {
            let first = index(from: ids.lowerBound)
            if first < changes.count, changes[first].id <= ids.upperBound { return true }
            // New ones that belong before it.
            return highest != nil && next < first && isDone[next..<first].contains(false)
        }

        /// Whether some are left.
        var hasRest: Bool { isDone[next...].contains(false) }
    }

    private let file: FileSource
    private var reader: BlobReader
    private var pending: [Pending]
    private let mend: (inout PbfHeader) -> Void

    /// - Parameters:
    ///   - limitBytes: what all blobs of the file may unpack to.
    ///   - mend: changes what the header says.
    init(
        _ file: FileSource, _ changes: OSMChanges, limitBytes: UInt64, mend: @escaping (inout PbfHeader) -> Void
    ) {
        self.file = file
        reader = BlobReader(file, limitBytes: limitBytes)
        pending = OSMElement.Kind.allCases.map { Pending($0, changes.sorted($0)) }
        self.mend = mend
    }

    /// Writes the file to `path`; gives its size. Blocks.
    mutating func write(to path: String, look: () throws(PlacesError) -> Void) throws(PlacesError) -> UInt64 {
        var writer = try BlobWriter(path)
        while let entry = try reader.next() {
            try look()
            switch entry.type {
            case "OSMHeader": try writeHeader(entry, to: &writer)
            case "OSMData": try writeData(entry, to: &writer)
            default: try writer.add(stored: try reader.stored(entry))
            }
        }
        for kind in OSMElement.Kind.allCases { try writeRest(of: kind, to: &writer) }
        return try writer.close()
    }

    private mutating func writeHeader(_ entry: BlobReader.Entry, to writer: inout BlobWriter) throws(PlacesError) {
        var header: PbfHeader = try entry.place.unpack(
            try reader.content(of: entry), budget: 2 * BlobReader.longestBlob)
        header.writingProgram = "Waymark"
        mend(&header)
        try writer.add(header)
    }

    private mutating func writeData(_ entry: BlobReader.Entry, to writer: inout BlobWriter) throws(PlacesError) {
        let block = try OSMBlock(try reader.content(of: entry), entry.place)
        var ids: [(kind: OSMElement.Kind, range: ClosedRange<Int64>)] = []
        for kind in OSMElement.Kind.allCases { if let range = try block.ids(kind) { ids.append((kind, range)) } }
        // What is left of the kinds before the block's comes before it.
        for kind in OSMElement.Kind.allCases where ids.first.map({ kind < $0.kind }) ?? false {
            try writeRest(of: kind, to: &writer)
        }
        let isConcerned =
            ids.contains { pending[$0.kind.rawValue].concerns($0.range) }
            || ids.dropLast().contains { pending[$0.kind.rawValue].hasRest }
        guard isConcerned else {
            for (kind, range) in ids { note(range, kind) }
            return try writer.add(stored: try reader.stored(entry))
        }
        for (index, (kind, _)) in ids.enumerated() {
            for element in try block.elements(kind) { try write(element, to: &writer) }
            if index + 1 < ids.count { try writeRest(of: kind, to: &writer) }
        }
    }

    /// Ids that are passed over.
    private mutating func note(_ ids: ClosedRange<Int64>, _ kind: OSMElement.Kind) {
        guard let highest = pending[kind.rawValue].highest else { return }
        pending[kind.rawValue].highest = ids.lowerBound > highest ? ids.upperBound : nil
    }

    /// Writes an element as it is after the changes, and before it what belongs there.
    private mutating func write(_ element: OSMElement, to writer: inout BlobWriter) throws(PlacesError) {
        let kind = element.kind.rawValue
        if let highest = pending[kind].highest {
            pending[kind].highest = element.id > highest ? element.id : nil
            if element.id > highest { try writeNew(before: element.id, kind, to: &writer) }
        }
        let index = pending[kind].index(from: element.id)
        guard index < pending[kind].changes.count, pending[kind].changes[index].id == element.id else {
            return try writer.add(element)
        }
        // A file that has an element twice has it once now.
        guard !pending[kind].isDone[index] else { return }
        pending[kind].isDone[index] = true
        if pending[kind].next == index { pending[kind].next += 1 }
        if let changed = pending[kind].changes[index].element { try writer.add(changed) }
    }

    private mutating func writeNew(before id: Int64, _ kind: Int, to writer: inout BlobWriter) throws(PlacesError) {
        while pending[kind].next < pending[kind].changes.count, pending[kind].changes[pending[kind].next].id < id {
            try writeNext(kind, to: &writer)
        }
    }

    private mutating func writeRest(of kind: OSMElement.Kind, to writer: inout BlobWriter) throws(PlacesError) {
        while pending[kind.rawValue].next < pending[kind.rawValue].changes.count {
            try writeNext(kind.rawValue, to: &writer)
        }
    }

    private mutating func writeNext(_ kind: Int, to writer: inout BlobWriter) throws(PlacesError) {
        let index = pending[kind].next
        pending[kind].next += 1
        guard !pending[kind].isDone[index] else { return }
        pending[kind].isDone[index] = true
        if let new = pending[kind].changes[index].element { try writer.add(new) }
    }
}
