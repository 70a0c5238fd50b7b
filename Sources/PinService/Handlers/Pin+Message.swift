import Contracts
import Geo
import Wire

// Values of the domain, as the wire says them.

extension Contracts.Pin {
    init(_ pin: Pin, metres: Double? = nil) {
        self.init(
            id: pin.id.description, name: pin.name,
            position: Contracts.Coordinate(latitude: pin.position.latitude, longitude: pin.position.longitude),
            radiusM: pin.radiusMetres, state: Contracts.PinState(pin.state),
            createTime: TimestampMessage(unixMilliseconds: pin.createdMilliseconds), distanceM: metres)
    }
}

extension Contracts.PinState {
    init(_ state: PinState) {
        switch state {
        case .new: self = .new
        case .partial: self = .partial
        case .ready: self = .ready
        case .failed: self = .failed
        }
    }
}

extension PinsNearResponse {
    init(_ found: PinsFound) {
        self.init(pins: found.hits.map { Contracts.Pin($0.pin, metres: $0.metres) }, truncated: found.isTruncated)
    }
}
