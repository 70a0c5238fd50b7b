import Composition
import Contracts
import Geo
import RPC
import Refusals
import Requests
import Wire

/// The places of a pin, each thing once, in pages.
///
/// The pin service keeps the places of networks apart, and its pages would cut groups: so all of them are asked for
/// each page. The order is total and the same for all pages: a group stands where the place stands that stands for it.
struct GroupedPinPlaces {
    /// More are not grouped.
    private static let maximumPlaces = 20_000

    private let request: ListPinPlacesRequest
    private let size: Int
    private let tokens: PageToken
    private let end: DistanceEnd?

    init(_ request: ListPinPlacesRequest) throws(Refusal) {
        try request.check()
        self.request = request
        size = Int(request.pageSize ?? ListPinPlacesRequest.pageSizeDefault)
        let networks = Set(request.networks).sorted().joined(separator: ",")
        tokens = PageToken(of: "groups of \(request.id) \(networks) \(request.withPhotos)")
        end = try tokens.end(in: request.pageToken) { DistanceEnd($0) }
    }

    /// The requested page.
    /// - Parameter ask: gives a page of places that are not grouped.
    func page(_ ask: (ListPinPlacesRequest) async throws -> ListPinPlacesResponse) async throws -> ListPinPlacesResponse
    {
        let all = await Self.grouped(try await places(ask))
        let rest = end.map { end in all.drop { !Self.isBehind($0, end) } } ?? all[...]
        let page = rest.prefix(size)
        let last = rest.count > size ? page.last : nil
        return ListPinPlacesResponse(
            places: Array(page),
            nextPageToken: last.map { tokens.text(after: DistanceEnd(metres: $0.distanceM, id: $0.id.utf8).bytes) }
                ?? "",
            count: UInt32(clamping: all.count))
    }

    private func places(
        _ ask: (ListPinPlacesRequest) async throws -> ListPinPlacesResponse
    ) async throws -> [PinPlace] {
        var (next, places) = (request, [PinPlace]())
        next.grouped = false
        next.pageSize = UInt32(ListPinPlacesRequest.pageSizeRange.upperBound)
        next.pageToken = ""
        repeat {
            let answer = try await ask(next)
            places += answer.places
            next.pageToken = answer.nextPageToken
            guard places.count <= Self.maximumPlaces else {
                throw RPCError(
                    .resourceExhausted,
                    "grouped: the pin has more than \(Self.maximumPlaces) places; those of so many are listed without"
                        + " it")
            }
        } while !next.pageToken.isEmpty
        return places
    }

    /// Grouped, nearest first, ties by id.
    @concurrent private static func grouped(_ places: [PinPlace]) async -> [PinPlace] {
        let groups = MergedPlaces.groups(of: places.map { SeenPlace($0) })
        return groups.map { group in
            var place = places[group[0]]
            place.sources = group.dropFirst().map { PinPlaceSource(places[$0]) }
            return place
        }.sorted { one, other in
            if one.distanceM != other.distanceM { return one.distanceM < other.distanceM }
            return one.id.utf8.lexicographicallyPrecedes(other.id.utf8)
        }
    }

    private static func isBehind(_ place: PinPlace, _ end: DistanceEnd) -> Bool {
        if place.distanceM != end.metres { return place.distanceM > end.metres }
        return end.id.lexicographicallyPrecedes(place.id.utf8)
    }
}

extension Router {
    /// Registers the list of a pin's places: forwarded as it is, but for those that are to be grouped.
    mutating func forwardPinPlaces(to pins: RPCClient) {
        let method = PinServiceMethods.listPinPlaces
        add(method) { bytes, context in
            let request = try ListPinPlacesRequest(request: bytes)
            guard request.grouped else { return try await Self.forwarded(method, bytes, context, to: pins) }
            let page = try await GroupedPinPlaces(request).page { part in
                let answer = try await Self.forwarded(method, part.packedBytes(), context, to: pins)
                return try ListPinPlacesResponse(answer: answer)
            }
            return page.packedBytes()
        }
    }
}

extension SeenPlace {
    /// Nil when its position is not one.
    fileprivate init?(_ place: PinPlace) {
        guard let given = place.position,
            let position = try? Geo.Coordinate(latitude: given.latitude, longitude: given.longitude)
        else { return nil }
        self.init(id: place.id, name: place.name, categories: place.categories, position: position)
    }
}

extension PinPlaceSource {
    fileprivate init(_ place: PinPlace) {
        self.init(
            id: place.id, name: place.name, position: place.position, distanceM: place.distanceM,
            photoCount: place.photoCount)
    }
}
