import Contracts
import Geo
import Refusals
import Requests

// The fields of requests about pins and about what the map shows, validated.

extension PinID {
    init(request text: String, field: String = "id") throws(Refusal) {
        guard let id = PinID(text) else { throw Refusal(field, text: text, allowed: "a UUID is") }
        self = id
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
            radiusMetres: Bounds.pinRadius.checked(request.radiusM), name: request.name)
    }
}

extension PinMove {
    init(_ request: MovePinRequest) throws(Refusal) {
        try self.init(
            position: Geo.Coordinate(request.position, field: "position"),
            radiusMetres: request.radiusM.map { metres throws(Refusal) in try Bounds.pinRadius.checked(metres) },
            isForced: request.force)
    }
}

extension MapSpan {
    init(_ message: Contracts.Span?, field: String) throws(Refusal) {
        guard let message else { throw Refusal(missing: field, needed: "a latitude_delta and a longitude_delta are") }
        try self.init(latitudeDelta: message.latitudeDelta, longitudeDelta: message.longitudeDelta, field: field)
    }
}

extension MapRegion {
    init(_ message: Contracts.Region?) throws(Refusal) {
        guard let message else { throw Refusal(missing: "region", needed: "a centre and a span are") }
        try self.init(
            centre: Geo.Coordinate(message.centre, field: "region.centre"),
            span: MapSpan(message.span, field: "region.span"))
    }
}
