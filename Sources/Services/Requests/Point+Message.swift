package import BaseContracts
package import Geo
package import Refusals

// Points and boxes of requests. `field` is the path of the message, for the refusal.

extension Geo.Coordinate {
    /// A point from the wire; refused when it is missing or out of range.
    package init(_ message: BaseContracts.Coordinate?, field: String) throws(Refusal) {
        guard let message else { throw Refusal(missing: field, needed: "a latitude and a longitude are") }
        do {
            try self.init(latitude: message.latitude, longitude: message.longitude)
        } catch {
            guard case .outOfRange(let part, let value, let allowed) = error else {
                throw Refusal(field, "\(error)")
            }
            throw Refusal("\(field).\(part)", value, allowed: allowed)
        }
    }
}

extension Geo.Box {
    /// A box from the wire; refused when it or a corner is missing, out of range or upside down.
    package init(_ message: BaseContracts.Box?, field: String) throws(Refusal) {
        guard let message else { throw Refusal(missing: field, needed: "a south_west and a north_east are") }
        let southWest = try Geo.Coordinate(message.southWest, field: "\(field).south_west")
        let northEast = try Geo.Coordinate(message.northEast, field: "\(field).north_east")
        do {
            // Longitudes as they were sent: a point at 180° is kept as one at -180°, and a box up to there would have
            // no width.
            try self.init(
                south: southWest.latitude, west: message.southWest?.longitude ?? southWest.longitude,
                north: northEast.latitude, east: message.northEast?.longitude ?? northEast.longitude)
        } catch {
            throw Refusal(
                "\(field).south_west.latitude", southWest.latitude,
                allowed: "at most that of north_east, \(northEast.latitude), is")
        }
    }
}
