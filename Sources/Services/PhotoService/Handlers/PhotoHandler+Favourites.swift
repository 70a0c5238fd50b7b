import PhotoContracts
import Daemon
import FieldRules
import RPC
import Refusals
import Requests
import Storage
import Stores
import Wire

extension PhotoHandler {
    func changeFavourite(
        _ request: ChangeFavouriteRequest, _ context: CallContext
    ) async throws -> ChangeFavouriteResponse {
        let (id, account) = (try PhotoID(request: request.photoId, field: "photo_id"), try context.account)
        let (wish, name) = (try FavouriteWish(request), String(FieldText.trimmed(request.placeName)))
        let change = try Change(request.requestId, request, context, clock: store.clock)
        let time = store.clock.unixMilliseconds
        return try await store.make(change, deadline: context.storageDeadline) { transaction throws(SQLError) in
            let isFavourite = try transaction.changeFavourite(wish, id, of: account, placeName: name, at: time)
            guard let isFavourite else { return .failure(.noPhoto(id)) }
            return .success(ChangeFavouriteResponse(favourite: isFavourite))
        }
    }

    func listFavourites(
        _ request: ListFavouritesRequest, _ context: CallContext
    ) async throws -> ListFavouritesResponse {
        let page = try FavouritePage(request, account: try context.account)
        let found = try await store.favourites(page, deadline: context.storageDeadline)
        return ListFavouritesResponse(
            favourites: found.favourites.map { PhotoContracts.Favourite($0, links) },
            nextPageToken: page.token(before: found.next))
    }
}

extension FavouriteWish {
    fileprivate init(_ request: ChangeFavouriteRequest) throws(Refusal) {
        switch request.change {
        case .unspecified, .add: self = .add
        case .remove: self = .remove
        case .toggle: self = .toggle
        default:
            throw Refusal(
                "change", request.change.rawValue, allowed: "FAVOURITE_CHANGE_ADD, _REMOVE and _TOGGLE are")
        }
    }
}

extension FavouritePage {
    init(_ request: ListFavouritesRequest, account: String) throws(Refusal) {
        let networks = Set(request.networks).sorted()
        let end = try Self.tokens(networks).end(in: request.pageToken) { Int64(String(decoding: $0, as: UTF8.self)) }
        self.init(
            account: account, networks: networks, before: end ?? .max,
            size: Int(request.pageSize ?? ListFavouritesRequest.pageSizeDefault))
    }

    /// The token of the page behind a favourite's ordinal; empty when there is none.
    func token(before ordinal: Int64?) -> String {
        guard let ordinal else { return "" }
        return Self.tokens(networks).text(after: Array("\(ordinal)".utf8))
    }

    private static func tokens(_ networks: [String]) -> PageToken {
        PageToken(of: "favourites of \(networks.joined(separator: ","))")
    }
}

extension PhotoContracts.Favourite {
    fileprivate init(_ favourite: Favourite, _ links: PictureLinks) {
        self.init(
            photo: PhotoContracts.Photo(favourite.photo, links), placeName: favourite.placeName,
            addedTime: TimestampMessage(unixMilliseconds: favourite.addedMilliseconds))
    }
}
