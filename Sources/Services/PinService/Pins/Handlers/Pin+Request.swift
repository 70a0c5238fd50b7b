import PinContracts
import FieldRules
import Geo
import Refusals
import Requests

// The fields of requests about pins and about what the map shows, validated.

extension PinID {
    init(request text: String, field: String = "id") throws(Refusal) {
        guard let id = PinID(text) else { throw FieldForm.uuid.rule.refusal(field, text) }
        self = id
    }

    static func all(_ texts: [String], field: String) throws(Refusal) -> [PinID] {
        var ids: [PinID] = []
        for (index, text) in texts.enumerated() { ids.append(try PinID(request: text, field: "\(field)[\(index)]")) }
        return ids
    }

    /// Nil for an empty text.
    init?(optional text: String, field: String) throws(Refusal) {
        if text.isEmpty { return nil }
        try self.init(request: text, field: field)
    }
}

extension PinDraft {
    init(_ request: CreatePinRequest) throws(Refusal) {
        try self.init(
            position: Geo.Coordinate(request.position, field: "position"),
            radiusMetres: request.radiusM ?? CreatePinRequest.radiusMDefault, name: Self.name(request.name))
    }
}

extension PinMove {
    init(_ request: MovePinRequest) throws(Refusal) {
        try self.init(
            position: Geo.Coordinate(request.position, field: "position"), radiusMetres: request.radiusM,
            isForced: request.force)
    }
}

extension MapSpan {
    init(_ message: BaseContracts.Span?) {
        self.init(message?.latitudeDelta ?? 0, message?.longitudeDelta ?? 0)
    }
}

extension MapRegion {
    init(_ message: BaseContracts.Region?) throws(Refusal) {
        try self.init(
            centre: Geo.Coordinate(message?.centre, field: "region.centre"), span: MapSpan(message?.span))
    }
}
