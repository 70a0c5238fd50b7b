import Budgets
import Contracts
import Daemon
import RPC
import Wire

/// What serves those who have a link.
struct Sharing: Sendable {
    let shares: LiveShares
    let handler: SharedHandler
    let maps: DatasetMaps
    /// For accounts that others share with.
    let guests: SharedWithMeHandler

    init(_ backends: Backends, _ maps: DatasetMaps, _ signer: IdentitySigner, _ key: DeploymentKey) {
        shares = LiveShares(backends.pins, signer)
        handler = SharedHandler(backends, shares, key)
        guests = SharedWithMeHandler(backends, shares, handler, key)
        self.maps = maps
    }
}

/// Composes what the holder of a link sees. They get no identity: the gateway asks in the name of the pin's account,
/// and passes on what is shared.
struct SharedHandler: SharedServiceHandler {
    private static let maximumPlaces: UInt32 = 200
    private static let maximumPins: UInt32 = 500

    private let backends: Backends
    private let shares: LiveShares
    private let view: SharedPinView

    init(_ backends: Backends, _ shares: LiveShares, _ key: DeploymentKey) {
        self.backends = backends
        self.shares = shares
        view = SharedPinView(key)
    }

    func getSharedPin(_ request: GetSharedPinRequest, _ context: CallContext) async throws -> GetSharedPinResponse {
        return try await shown(
            try await shares.open(request.token, password: request.password, address: context.client.text))
    }

    /// What a link leads to, for its page: that it was opened is not counted.
    func shown(_ token: String, by address: String) async throws -> GetSharedPinResponse {
        try await shown(try await shares.open(token, password: "", address: address, isPreview: true))
    }

    private func shown(_ opened: OpenLinkResponse) async throws -> GetSharedPinResponse {
        guard let share = opened.share else { throw Self.nowhere }
        if !share.listId.isEmpty { return try await sharedList(share, of: opened.account) }
        if share.albumOnly { return try await sharedAlbum(share, of: opened.account) }
        return try await shared(share, of: opened.account)
    }

    /// What is in a pin.
    /// - Parameter guest: the account that it is shared with; nil for the holder of a link.
    func shared(_ share: Share, of account: String, for guest: String? = nil) async throws -> GetSharedPinResponse {
        let pins = PinServiceClient(backends.pins)
        let options = shares.options(for: account)
        do {
            async let pin = pins.getPin(GetPinRequest(id: share.pinId), options)
            async let places = pins.listPinPlaces(
                ListPinPlacesRequest(id: share.pinId, pageSize: Self.maximumPlaces), options)
            async let album = photos(of: share.pinId, options)
            guard let found = try await pin.pin else { throw Self.nowhere }
            return view.answer(found, try await places, try await album, share, of: account, for: guest)
        } catch let error as RPCError where error.code == .notFound {
            // The pin is deleted meanwhile.
            throw Self.nowhere
        }
    }

    private func sharedAlbum(_ share: Share, of account: String) async throws -> GetSharedPinResponse {
        let pins = PinServiceClient(backends.pins)
        let options = shares.options(for: account)
        do {
            async let pin = pins.getPin(GetPinRequest(id: share.pinId), options)
            async let album = photos(of: share.pinId, options)
            guard let found = try await pin.pin else { throw Self.nowhere }
            return view.answer(albumOf: found, try await album, share)
        } catch let error as RPCError where error.code == .notFound {
            // The pin is deleted meanwhile.
            throw Self.nowhere
        }
    }

    /// What is in a list.
    /// - Parameter guest: the account that it is shared with; nil for the holder of a link.
    func sharedList(_ share: Share, of account: String, for guest: String? = nil) async throws -> GetSharedPinResponse {
        let (lists, options) = (ListServiceClient(backends.pins), shares.options(for: account))
        do {
            async let all = lists.listLists(ListListsRequest(), options)
            async let page = lists.listPinsOfList(
                ListPinsOfListRequest(id: share.listId, pageSize: Self.maximumPins), options)
            guard let list = try await all.lists.first(where: { $0.id == share.listId }) else { throw Self.nowhere }
            return view.answer(list, try await page.pins, share, of: account, for: guest)
        } catch let error as RPCError where error.code == .notFound {
            // The list is deleted meanwhile.
            throw Self.nowhere
        }
    }

    /// Empty while the photo service does not know the pin: it learns of a new one a moment later.
    private func photos(of pin: String, _ options: CallOptions) async throws -> GetAlbumResponse {
        do {
            return try await PhotoServiceClient(backends.photos).getAlbum(
                GetAlbumRequest(subject: "pin/\(pin)"), options)
        } catch let error as RPCError where error.code == .notFound {
            return GetAlbumResponse()
        }
    }

    static let nowhere = RPCError(.notFound, "this link leads nowhere; it may have ended")
}
