import Bytes
import FeatureFiles
import Geo
import Refusals

/// The pins of a table: a list of saved places of Takeout (Title, Note, URL, Comment or Tags), or any with a name, a
/// latitude and a longitude. Takeout writes some names of columns in the account's language; its tables are lists.
final class TableSource: PinSource {
    private enum Column: CaseIterable {
        case name, note, comment, link, latitude, longitude, point, visited

        var names: [String] {
            switch self {
            case .name: ["title", "name", "titel", "titre", "título", "titolo", "nimi"]
            case .note: ["note", "notes", "notiz", "nota", "remarque", "description"]
            case .comment: ["comment", "kommentar", "commentaire", "comentario", "commento"]
            case .link: ["url", "link"]
            case .latitude: PositionColumns.latitudes
            case .longitude: PositionColumns.longitudes
            case .point: PositionColumns.points
            case .visited: ["visited_date"]
            }
        }
    }

    /// A list of Takeout may have a description before its header.
    private static let maximumLinesBeforeHeader = 5
    private static let separators = [",", ";", "\t", "|"].flatMap { Array($0.utf8) }

    private let source: TextSource
    private var text: DelimitedText
    private var isAtEnd = false
    private var columns: [Column: Int] = [:]
    private var header: [String] = []
    /// Nil in a table of links.
    private var position: PositionColumns?
    private let lists: [FeatureList]
    /// What else a row is.
    private var pending: ArraySlice<PinFileItem> = []

    /// `name`: that of the file, "Want to go.csv".
    init(_ source: TextSource, name: String) throws(SourceError) {
        self.source = source
        let title = name.split(at: "/").last?.until(".")
        lists = title.map { [FeatureList(name: String($0).withoutBlanks)] } ?? []
        text = try DelimitedText(source, separators: Self.separators, hasQuotes: true)
        var seen: [String] = []
        for _ in 0...Self.maximumLinesBeforeHeader {
            guard let event = try text.next() else { break }
            guard case .record = event else { continue }
            let names = (0..<text.fields.count).map { PositionColumns.title((try? field($0)) ?? "") }
            seen = seen.isEmpty ? names : seen
            columns = Self.columns(names)
            header = names
            position = Self.position(columns)
            if columns[.link] != nil || position != nil { return }
        }
        let shown = seen.prefix(20).joined(separator: ", ").quoted
        throw .bad("a table of pins has the columns title and URL, or name, latitude and longitude; this has \(shown)")
    }

    private static func position(_ columns: [Column: Int]) -> PositionColumns? {
        if let latitude = columns[.latitude], let longitude = columns[.longitude] {
            return .pair(latitude: latitude, longitude: longitude)
        }
        return columns[.point].map { .point($0) }
    }

    func next() throws(SourceError) -> PinFileItem? {
        if let item = pending.popFirst() { return item }
        while let event = try text.next() {
            switch event {
            case .broken(let line, let problem): return PinFileItem(number: line, content: .bad(problem.description))
            case .record(let line):
                do throws(RowProblem) {
                    let values = try fields()
                    if values.allSatisfy(\.isEmpty) { continue }
                    let shapes = try shapes(values, line)
                    if let first = shapes.first {
                        pending = shapes.dropFirst()
                        return first
                    }
                    return PinFileItem(number: line, content: try content(values))
                } catch {
                    return PinFileItem(number: line, content: .bad(error.description))
                }
            }
        }
        defer { isAtEnd = true }
        return isAtEnd ? nil : source.doubt.map { PinFileItem(number: 0, content: .bad($0.description)) }
    }

    private static func columns(_ names: [String]) -> [Column: Int] {
        var columns: [Column: Int] = [:]
        for column in Column.allCases { columns[column] = names.firstIndex { column.names.contains($0) } }
        // The first one is the name, whatever the language.
        if columns[.name] == nil, !columns.values.contains(0), names.count > 1 { columns[.name] = 0 }
        return columns
    }

    private func content(_ values: [String]) throws(RowProblem) -> PinFileItem.Content {
        func value(_ column: Column) -> String {
            columns[column].flatMap { values.indices.contains($0) ? values[$0] : nil } ?? ""
        }
        let (note, comment) = (value(.note), value(.comment))
        let text = comment.isEmpty || comment == note ? note : note.isEmpty ? comment : "\(note)\n\(comment)"
        let lists = columns[.link] != nil && position == nil ? lists : []
        guard let point = try position(of: values, link: value(.link)) else {
            var unplaced = UnplacedRecord()
            (unplaced.name, unplaced.note, unplaced.link) = (value(.name), text, value(.link))
            (unplaced.visitedDay, unplaced.lists) = (value(.visited), lists)
            guard unplaced.isNamed else {
                throw RowProblem("URL: \(value(.link).quoted) has no position; a link with one, or a name, is needed")
            }
            return .unplaced(unplaced)
        }
        var record = PinRecord(position: point)
        record.name = value(.name)
        record.isNamed = !record.name.isEmpty
        (record.note, record.visitedDay, record.lists) = (text, value(.visited), lists)
        return .pin(record)
    }

    /// Of a row whose position is a line or an area (WKT), or several of them.
    private func shapes(_ values: [String], _ line: UInt64) throws(RowProblem) -> [PinFileItem] {
        guard case .point(let column) = position, values.indices.contains(column),
            var feature = WKTShapes.feature(values[column], number: line),
            feature.point == nil || feature.shapes.count > 1
        else { return [] }
        if let name = columns[.name], values.indices.contains(name) { feature.add(property: "name", values[name]) }
        return try PinFileItem.Content.all(feature, hasHTML: false).map { PinFileItem(number: line, content: $0) }
    }

    /// Nil for a link that has none.
    private func position(of values: [String], link: String) throws(RowProblem) -> Geo.Coordinate? {
        func text(_ column: Int) -> String { values.indices.contains(column) ? values[column] : "" }
        let hasNone =
            switch position {
            case .pair(let latitude, let longitude): text(latitude).isEmpty && text(longitude).isEmpty
            case .point(let column): text(column).isEmpty
            case nil: true
            }
        if hasNone, columns[.link] != nil { return MapLink.point(link) }
        guard let position else { throw RowProblem("position: it is missing") }
        return try position.position(
            header, hasCommas: self.text.separator != UInt8(ascii: ","), text: { text($0) })
    }

    /// The fields of the current record.
    private func fields() throws(RowProblem) -> [String] {
        var fields: [String] = []
        for index in text.fields.indices { fields.append(try field(index)) }
        return fields
    }

    /// One of them, without blanks around it.
    private func field(_ index: Int) throws(RowProblem) -> String { try text.text(index).withoutBlanks }
}
