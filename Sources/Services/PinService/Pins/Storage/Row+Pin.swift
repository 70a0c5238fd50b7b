import Bytes
import Geo
import Storage
import Stores

extension Pin {
    /// How many columns the initializer reads.
    static let columnCount = 27

    /// Reads the first columns that `Transaction.pin` selects. The searches follow them.
    init(_ row: borrowing Row) throws(SQLError) {
        self.init(
            id: try row.pinID(0), account: try row.text(1), name: try row.text(2), isNamed: try row.bool(3),
            position: try row.coordinate(4), radiusMetres: try row.double(6), state: try row.state(7),
            generation: try row.integer(8), createdMilliseconds: try row.integer(9), version: try row.integer(10),
            counts: PlaceCounts(
                places: try row.integer(11), placesWithPhotos: try row.integer(12), photos: try row.integer(13)),
            album: PinAlbum(
                state: try row.state(14), photoCount: try row.integer(15), readyCount: try row.integer(16),
                failedCount: try row.integer(17), generation: try row.integer(18), warning: try row.text(25)),
            span: try row.span(19), limit: NetworkChoice(text: try row.text(21)),
            note: try row.text(22), visitedDay: try row.text(23), importedBy: try row.text(24),
            photoTrouble: try row.text(26))
    }
}

extension NetworkSearch {
    /// Reads the columns network, generation, state, place_count, is_truncated, warning, refusals, lates.
    init(_ row: borrowing Row, from first: Int) throws(SQLError) {
        self.init(
            network: try row.text(first), generation: try row.integer(first + 1), state: try row.state(first + 2),
            placeCount: try row.integer(first + 3), isTruncated: try row.bool(first + 4),
            warning: try row.text(first + 5), refusals: try row.integer(first + 6), lates: try row.integer(first + 7))
    }
}

extension LinkedPlace {
    /// Separates two categories, or two tags, in one column: no text for people contains this character.
    static let separator: Unicode.Scalar = "\u{1f}"

    static func joined(_ texts: [String]) -> String { texts.joined(separator: "\(separator)") }

    /// Reads the columns place, name, categories, latitude_e7, longitude_e7, distance_m, photo_count, version.
    init(_ row: borrowing Row) throws(SQLError) {
        let categories = try row.text(2).split(at: Self.separator).map { String($0) }
        self.init(
            place: NetworkPlace(
                id: try row.text(0), name: try row.text(1), categories: categories, position: try row.coordinate(3)),
            metres: try row.double(5), photoCount: try row.integer(6), version: try row.integer(7))
    }
}

extension Row {
    /// An id from a column with its 16 bytes.
    func pinID(_ column: Int) throws(SQLError) -> PinID {
        try withBlob(column) { bytes throws(SQLError) in
            guard bytes.byteCount == 16 else {
                throw SQLError(.corrupt, "a stored pin's id has \(bytes.byteCount) bytes, 16 are needed")
            }
            let high = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self)
            let low = unsafe bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self)
            return PinID(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
        }
    }

    /// One of the numbered states.
    func state<State: RawRepresentable<Int64>>(_ column: Int) throws(SQLError) -> State {
        let stored = try integer(column)
        guard let state = State(rawValue: stored) else {
            throw SQLError(.corrupt, "a stored \(State.self) is \(stored), which is not known")
        }
        return state
    }

    /// A span from a column with its latitude and the next with its longitude; nil when the first is NULL.
    func span(_ column: Int) throws(SQLError) -> MapSpan? {
        guard let latitude = try optionalDouble(column) else { return nil }
        return MapSpan(latitude, try double(column + 1))
    }
}

extension PinID: SQLParameter {
    /// A BYTEA of 16 bytes, in the order of the text.
    package var sqlValue: SQLValue { .blob(bytes) }
}
