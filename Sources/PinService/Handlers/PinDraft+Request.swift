import Contracts
import Geo

extension PinDraft {
    init(_ request: CreatePinRequest) throws(PinError) {
        try self.init(
            position: Geo.Coordinate(request.position, field: "position"), radiusMetres: request.radiusM,
            name: request.name)
    }
}
