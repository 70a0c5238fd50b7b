package import Contracts
package import Geo
package import RPC

extension Geo.Coordinate {
    /// A point from the wire; INVALID_ARGUMENT when it is missing or out of range. `field` is the path of the message,
    /// for the error.
    package init(_ message: Contracts.Coordinate?, field: String) throws(RPCError) {
        guard let message else { throw .invalid(field, "a latitude and a longitude are needed") }
        do {
            try self.init(latitude: message.latitude, longitude: message.longitude)
        } catch {
            guard case .outOfRange(let part, let value, let allowed) = error else {
                throw .invalid(field, "\(error)")
            }
            throw .invalid("\(field).\(part)", "\(value) is given, \(allowed) is allowed")
        }
    }
}
