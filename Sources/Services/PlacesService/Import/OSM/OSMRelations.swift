import PlaceContracts
import FeatureFiles
import Wire

/// Relations that are places, kept until the nodes of their ways are known.
struct OSMRelations {
    /// Bytes that all of them may take with their ways: those of a continent do.
    static let maximumBytes = 4 << 30

    private struct Relation {
        /// Number of the blob that it came in.
        let blob: UInt64
        /// Which of `texts` it is.
        let text: Range<Int>
        /// Which of `members` it has.
        let members: Range<Int>
        /// Whether its ways are the edges of an area.
        let isArea: Bool
    }

    private let maximumBytes: Int
    private var relations: [Relation] = []
    /// Packed places without a position, one after the other.
    private var texts: [UInt8] = []
    private var members: [OSMMember] = []

    init(maximumBytes: Int = OSMRelations.maximumBytes) { self.maximumBytes = maximumBytes }

    var count: Int { relations.count }
    /// The ways that they are made of.
    var ways: [Int64] { members.compactMap { $0.part == .node ? nil : $0.id } }

    /// Keeps a relation.
    mutating func add(
        _ row: PlaceRow, from blob: BlobPlace, _ own: [OSMMember], isArea: Bool
    ) throws(PlacesError) {
        let place = Place(
            id: row.id ?? "", name: row.name, categories: [row.categories],
            attributes: row.attributes.map { Attribute(key: $0.key, value: $0.value) })
        let start = texts.count
        texts += place.packedBytes()
        members += own
        relations.append(
            Relation(
                blob: blob.number, text: start..<texts.count, members: members.count - own.count..<members.count,
                isArea: isArea))
        try refuseTooMuch()
    }

    /// - Parameter waysBytes: what the nodes of their ways take.
    func refuseTooMuch(waysBytes: Int = 0) throws(PlacesError) {
        // The ids of ways are kept three times in the end, for a while.
        guard texts.count + 64 * relations.count + 48 * members.count + waysBytes <= maximumBytes else {
            let most = "\(maximumBytes) bytes of memory"
            throw .badFile(
                reason: "its named relations and their ways take more than \(most); import a smaller area")
        }
    }

    /// Writes a relation to a row; returns nothing when none of its nodes was in the file.
    func fill(_ row: inout PlaceRow, _ index: Int, _ geometry: OSMGeometry) -> RowEvent {
        let relation = relations[index]
        guard let place = try? Place(packed: texts[relation.text]) else { return .nothing }
        do throws(RowProblem) {
            let centre = try geometry.centre(of: members[relation.members], isArea: relation.isArea)
            guard let centre else { return .nothing }
            row.latitude = centre.latitude
            row.longitude = centre.longitude
        } catch {
            return .bad(line: relation.blob, RowProblem("\(place.id): \(error)"))
        }
        row.id = place.id
        row.name = place.name
        row.categories = place.categories.first ?? ""
        row.attributes = place.attributes.map { ($0.key, $0.value) }
        return .row(line: relation.blob)
    }
}
