import PinContracts
import Daemon
import RPC
import Storage
import Stores
import Wire

/// Answers calls about the places to which the caller has given a star.
struct StarHandler: StarServiceHandler {
    let store: PinStore
    let clock: WallClock

    func starPlace(_ request: StarPlaceRequest, _ context: CallContext) async throws -> StarPlaceResponse {
        let account = try context.account
        let place = try StarredPlace(request.place ?? PinContracts.StarredPlace(), at: clock.unixMilliseconds)
        return try await make(request.requestId, request, context) { transaction throws(SQLError) in
            if try !transaction.hasStar(place.id, of: account) {
                guard try transaction.starCount(of: account) < StarredPlace.limit else { return .failure(.tooMany) }
            }
            let stored = try transaction.putStar(place, of: account)
            return .success(StarPlaceResponse(place: PinContracts.StarredPlace(stored)))
        }
    }

    func unstarPlace(_ request: UnstarPlaceRequest, _ context: CallContext) async throws -> UnstarPlaceResponse {
        let (account, id) = (try context.account, request.id)
        return try await make(request.requestId, request, context) { transaction throws(SQLError) in
            .success(UnstarPlaceResponse(hadStar: try transaction.removeStar(id, of: account)))
        }
    }

    func listStars(_ request: ListStarsRequest, _ context: CallContext) async throws -> ListStarsResponse {
        let (account, listing) = (try context.account, try StarListing(request))
        let found = try await store.read(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.stars(listing, of: account)
        }
        return ListStarsResponse(
            places: found.places.map { PinContracts.StarredPlace($0) },
            nextPageToken: found.end.map { StarListing.token(before: $0) } ?? "")
    }

    private func make<Response: WireMessage>(
        _ id: String, _ request: some WireMessage, _ context: CallContext,
        _ body: @escaping @Sendable (borrowing Transaction) throws(SQLError) -> Result<Response, StarError>
    ) async throws -> Response {
        let change = try Change(id, request, context, clock: clock)
        return try await store.database.make(
            change, of: "stars", .subject(try context.account), deadline: context.storageDeadline, body)
    }
}
