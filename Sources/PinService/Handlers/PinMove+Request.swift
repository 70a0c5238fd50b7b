import Contracts
import Geo
import RPC
import Requests

extension PinMove {
    init(_ request: MovePinRequest) throws {
        try self.init(
            position: Geo.Coordinate(request.position, field: "position"), radiusMetres: request.radiusM,
            isForced: request.force)
    }
}

extension MapSpan {
    init(_ message: Contracts.Span?, field: String) throws(PinError) {
        guard let message else { throw .invalid(field: field, "a latitude_delta and a longitude_delta are needed") }
        try self.init(latitudeDelta: message.latitudeDelta, longitudeDelta: message.longitudeDelta, field: field)
    }
}

extension MapRegion {
    init(_ message: Contracts.Region?) throws {
        guard let message else { throw PinError.invalid(field: "region", "a centre and a span are needed") }
        try self.init(
            centre: Geo.Coordinate(message.centre, field: "region.centre"),
            span: MapSpan(message.span, field: "region.span"))
    }
}
