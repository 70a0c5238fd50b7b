import Contracts
import Geo

extension Geo.Coordinate {
    /// A point from the wire. `field` is the path of the message, for the error.
    init(_ message: Contracts.Coordinate?, field: String) throws(PhotoError) {
        guard let message else { throw .invalid(field: field, "a latitude and a longitude are needed") }
        do {
            try self.init(latitude: message.latitude, longitude: message.longitude)
        } catch {
            guard case .outOfRange(let part, let value, let allowed) = error else {
                throw .invalid(field: field, "\(error)")
            }
            throw .invalid(field: "\(field).\(part)", "\(value) is given, \(allowed) is allowed")
        }
    }
}
