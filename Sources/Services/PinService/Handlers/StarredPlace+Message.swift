import Bytes
import Contracts
import Geo
import RPC
import Refusals
import Requests
import Wire

// Requests about places with a star, validated, and what is answered.

extension StarredPlace {
    init(_ message: Contracts.StarredPlace?, at time: Int64) throws(Refusal) {
        guard let message else { throw Refusal(missing: "place", needed: "an id and a position are") }
        guard message.starTime == nil else { throw Refusal("place.star_time", "it is set; only answers have it") }
        try self.init(
            id: Self.checked(id: message.id, field: "place.id"),
            name: TextLine.checked(
                message.name, "place.name", most: Contracts.StarredPlace.nameLength.upperBound) ?? "",
            categories: Self.checked(categories: message.categories),
            position: Geo.Coordinate(message.position, field: "place.position"),
            whereabouts: TextLine.checked(
                message.where, "place.where", most: Contracts.StarredPlace.whereLength.upperBound) ?? "",
            starredMilliseconds: time)
    }

    /// "<network>/<id at that network>": the network is a lower-case letter, then a-z, 0-9, '-' and '_', at most 32
    /// characters; the id there is not empty and has no control characters.
    static func checked(id: String, field: String) throws(Refusal) -> String {
        let mistake = Refusal(field, text: id, allowed: "\"<network>/<id at that network>\" is")
        guard id.utf8.count <= 32 + 1 + longestIDThere, let slash = id.utf8.firstIndex(of: UInt8(ascii: "/")) else {
            throw mistake
        }
        let (network, there) = (id.utf8[..<slash], id[id.index(after: slash)...])
        let isNetwork =
            (1...32).contains(network.count) && network.first.map { (0x61...0x7a).contains($0) } == true
            && network.allSatisfy { letters.contains($0) }
        let hasControl = there.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard isNetwork, (1...longestIDThere).contains(there.utf8.count), !hasControl else { throw mistake }
        return id
    }

    /// In bytes.
    private static let longestIDThere = 1_024
    /// In characters.
    private static let longestCategory = 255
    private static let letters = Set("abcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func checked(categories texts: [String]) throws(Refusal) -> [String] {
        let most = Contracts.StarredPlace.categoriesLength.upperBound
        guard texts.count <= most else {
            throw Refusal("place.categories", texts.count, "entries", allowed: "at most \(most) are")
        }
        var categories: [String] = []
        for (index, text) in texts.enumerated() {
            let field = "place.categories[\(index)]"
            guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
                throw Refusal(missing: field, needed: "1 to \(longestCategory) characters are")
            }
            // One of which nothing can be seen says nothing.
            if let category = try TextLine.checked(text, field, most: longestCategory) { categories.append(category) }
        }
        return categories
    }
}

extension Contracts.StarredPlace {
    init(_ place: StarredPlace) {
        self.init(
            id: place.id, name: place.name, categories: place.categories,
            position: Contracts.Coordinate(place.position), where: place.whereabouts,
            starTime: TimestampMessage(unixMilliseconds: place.starredMilliseconds))
    }
}

extension StarListing {
    private static let pageSize = Bounds.pageSize(
        ListStarsRequest.pageSizeRange, default: ListStarsRequest.pageSizeDefault)
    private static let tokens = PageToken(of: "stars")

    init(_ request: ListStarsRequest) throws(Refusal) {
        let size = try Self.pageSize.checkedCount(request.pageSize)
        let end = try Self.tokens.end(in: request.pageToken) { bytes in
            bytes.count == 8 ? Int64(bitPattern: BigEndian.number(bytes[...])) : nil
        }
        self.init(before: end ?? .max, limit: size)
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
