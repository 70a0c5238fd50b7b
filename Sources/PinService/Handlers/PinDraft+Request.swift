import Contracts
import Geo
import Requests

extension PinDraft {
    init(_ request: CreatePinRequest) throws {
        try self.init(
            position: Geo.Coordinate(request.position, field: "position"), radiusMetres: request.radiusM,
            name: request.name)
    }
}
