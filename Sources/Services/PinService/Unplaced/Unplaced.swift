import Bytes
import FeatureFiles
import Geo
import PinContracts
import PinFiles
import Refusals

/// An entry of a file without a position.
struct Unplaced: Equatable, Sendable {
    /// Names it: an import, and the entry's number in its file, from 0 on.
    struct ID: Hashable, Sendable, CustomStringConvertible {
        let importID: String
        let number: Int64

        var description: String { "\(importID).\(number)" }
    }

    /// Letters of an address or a link that are kept.
    private static let maximumCharacters = 500

    let id: ID
    let account: String
    let createdMilliseconds: Int64
    var name = ""
    var address = ""
    var note = ""
    var link = ""
    var visitedDay = ""
    /// Names of lists.
    var lists: [String] = []
    /// Name of the file.
    var fileName = ""

    init(id: ID, account: String, createdMilliseconds: Int64) {
        (self.id, self.account, self.createdMilliseconds) = (id, account, createdMilliseconds)
    }

    init(_ record: UnplacedRecord, number: Int64, of it: PinImport) {
        self.init(
            id: ID(importID: it.id, number: number), account: it.account,
            createdMilliseconds: record.createdMilliseconds.map { min(max($0, 0), it.createdMilliseconds) }
                ?? it.createdMilliseconds)
        name = record.name.onOneLine.cut(to: CreatePinRequest.nameLength.upperBound)
        address = record.address.onOneLine.cut(to: Self.maximumCharacters)
        note = record.note.cut(to: PinAnnotation.maximumCharacters)
        link = record.link.onOneLine.cut(to: Self.maximumCharacters)
        visitedDay = record.visitedDay
        lists = record.lists.compactMap { PinList.Draft($0)?.name }
    }

    /// What to look for: the address says it best.
    var wanted: String { address.isEmpty ? name : address }

    /// Refuses what no pin could be made of, wherever it is.
    func check(_ limit: NetworkChoice) throws(Refusal) {
        guard let anywhere = try? Geo.Coordinate(latitudeE7: 0, longitudeE7: 0) else { return }
        _ = try pin(at: anywhere, PinID.make(unixMilliseconds: createdMilliseconds), limit, createdMilliseconds)
    }

    /// The pin that its file would have made with a position.
    func pin(
        at position: Geo.Coordinate, _ pin: PinID, _ limit: NetworkChoice, _ now: Int64
    ) throws(Refusal) -> Pin {
        try Pin(
            record(at: position), id: pin, account: account, importedBy: id.importID, limit: limit,
            unixMilliseconds: now)
    }

    /// As its file would have said it with a position.
    func record(at position: Geo.Coordinate) -> PinRecord {
        var record = PinRecord(position: position)
        record.name = name.isEmpty ? address : name
        record.isNamed = !record.name.isEmpty
        (record.note, record.visitedDay, record.createdMilliseconds) = (note, visitedDay, createdMilliseconds)
        record.lists = lists.map { FeatureList(name: $0) }
        return record
    }
}

extension Unplaced.ID {
    /// Nil for a text that names none.
    init?(_ text: String) {
        guard let (importID, number) = text.halves(at: "."), let id = PinID(String(importID)),
            let number = Int64(String(number)), number >= 0
        else { return nil }
        self.init(importID: id.description, number: number)
    }
}
