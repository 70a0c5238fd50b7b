import Bytes
import PinContracts
import FieldRules
import Geo
import RPC
import Refusals
import Requests
import Wire

// Requests about places with a star, validated, and what is answered.

extension StarredPlace {
    init(_ message: PinContracts.StarredPlace, at time: Int64) throws(Refusal) {
        self.init(
            id: message.id, name: FieldText.line(message.name),
            // One of which nothing can be seen says nothing.
            categories: message.categories.map(FieldText.line).filter { !$0.isEmpty },
            position: try Geo.Coordinate(message.position, field: "place.position"),
            whereabouts: FieldText.line(message.where), starredMilliseconds: time)
    }
}

extension PinContracts.StarredPlace {
    init(_ place: StarredPlace) {
        self.init(
            id: place.id, name: place.name, categories: place.categories,
            position: BaseContracts.Coordinate(place.position), where: place.whereabouts,
            starTime: TimestampMessage(unixMilliseconds: place.starredMilliseconds))
    }
}

extension StarListing {
    private static let tokens = PageToken(of: "stars")

    init(_ request: ListStarsRequest) throws(Refusal) {
        let end = try Self.tokens.end(in: request.pageToken) { bytes in
            bytes.count == 8 ? Int64(bitPattern: BigEndian.number(bytes[...])) : nil
        }
        self.init(before: end ?? .max, limit: Int(request.pageSize ?? ListStarsRequest.pageSizeDefault))
    }

    /// The token for the page after the place with an ordinal.
    static func token(before ordinal: Int64) -> String {
        tokens.text(after: BigEndian.bytes(UInt64(bitPattern: ordinal)))
    }
}

extension StarError: RPCErrorConvertible {
    var rpcError: RPCError {
        switch self {
        case .tooMany:
            RPCError(.resourceExhausted, "\(StarredPlace.limit) places have your star already; take some away")
        }
    }
}
