import Bytes
import PhotoContracts
import PinContracts
import FeatureFiles
import FieldRules
import Geo
import PinFiles
import Refusals
import Requests

extension Pin {
    /// Written once: the text of each pin's own would be made to be checked only.
    private static let anyID = PinID.make(unixMilliseconds: 0).description

    /// A pin as a file says it. It is not searched for before it is opened, so it has no generation yet.
    init(
        _ record: PinRecord, id: PinID, account: String, importedBy: String, limit: NetworkChoice,
        unixMilliseconds now: Int64
    ) throws(Refusal) {
        let said = CreatePinRequest(
            position: BaseContracts.Coordinate(record.position), radiusM: record.radiusMetres,
            name: record.name.onOneLine.cut(to: CreatePinRequest.nameLength.upperBound))
        try said.check()
        let kept = AnnotatePinRequest(
            id: Self.anyID, note: record.note.cut(to: PinAnnotation.maximumCharacters),
            visitedDate: record.visitedDay)
        try kept.check()
        let (draft, annotation) = (try PinDraft(said), PinAnnotation(kept))
        self.init(
            id: id, account: account, name: draft.name ?? PointName(draft.position).text,
            isNamed: draft.name != nil && record.isNamed, position: draft.position, radiusMetres: draft.radiusMetres,
            state: .new, generation: 0,
            createdMilliseconds: record.createdMilliseconds.map { min(max($0, 0), now) } ?? now, limit: limit,
            note: annotation.note ?? "", visitedDay: annotation.visitedDay ?? "", importedBy: importedBy)
    }
}

extension PinRecord {
    /// Whether the name or the note is cut off.
    var isShortened: Bool {
        note.unicodeScalars.count > PinAnnotation.maximumCharacters
            || name.unicodeScalars.count > CreatePinRequest.nameLength.upperBound
    }

    /// What a file says of a pin.
    init(_ pin: Pin, lists: [PinList]) {
        self.init(position: pin.position)
        id = pin.id.description
        name = pin.name
        isNamed = pin.isNamed
        note = pin.note
        visitedDay = pin.visitedDay
        radiusMetres = pin.radiusMetres
        createdMilliseconds = pin.createdMilliseconds
        self.lists = lists.map { FeatureList(name: $0.name, colour: "\($0.colour)") }
    }
}

extension TrackRecord {
    /// What a file says of a track.
    init(_ track: Track, _ parts: [TrackRecord.Part], _ list: PinList?) {
        self.init(parts: parts)
        kind = track.kind == .area ? .area : .line
        name = track.name
        lists = [list].compactMap(\.self).map { FeatureList(name: $0.name, colour: "\($0.colour)") }
        colour = track.colour.map { "\($0)" } ?? ""
    }
}

extension PinList.Draft {
    /// Nil for a list without a name.
    init?(_ list: FeatureList) {
        let most = CreateListRequest.nameLength.upperBound
        let name = list.name.onOneLine.cut(to: most)
        guard FieldForm.name.takes(name) else { return nil }
        self.init(name: FieldText.line(name), colour: PinList.Colour(written: list.colour))
    }
}

extension String {
    /// Files of XML have names on several lines.
    var onOneLine: String {
        if utf8.allSatisfy({ (0x20..<0x80).contains($0) }) { return self }
        return split(atScalars: { $0.isWhitespace && $0 != " " }).joined(separator: " ")
    }

    /// Its beginning with "…" when it is longer.
    func cut(to most: Int) -> String {
        guard utf8.count > most, unicodeScalars.count > most else { return self }
        return String(unicodeScalars.prefix(most - 1)) + "…"
    }
}
