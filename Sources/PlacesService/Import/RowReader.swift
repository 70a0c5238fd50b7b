/// Reads a file's rows one after the other.
protocol RowReader: ~Copyable {
    /// Puts the next row in `row`, or tells what is wrong with it; nil at the end. Throws when the file as a whole
    /// can't be read on.
    mutating func next(_ row: inout PlaceRow) throws(PlacesError) -> RowEvent?
}

/// What came next in a file.
enum RowEvent: Equatable {
    /// `line` is where the row begins, from 1; for GeoJSON the number of the feature, for .osm.pbf that of the blob.
    case row(line: UInt64)
    case bad(line: UInt64, RowProblem)
    /// A piece of the file was read that gave no row.
    case nothing
}
