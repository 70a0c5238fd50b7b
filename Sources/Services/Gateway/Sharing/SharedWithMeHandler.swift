import Contracts
import Daemon
import RPC
import Wire

/// Composes what an account sees that another one shares with it. It gets nothing by which it could call for more: the
/// gateway asks whether it may, and then asks in the owner's name.
struct SharedWithMeHandler: SharedWithMeServiceHandler {
    /// A large photo is looked into and stored, one after the other.
    private static let timeout: Duration = .seconds(60)

    private let backends: Backends
    private let shares: LiveShares
    private let shared: SharedHandler
    /// Reads whose name this gateway has signed a call in.
    private let identities: IdentityCheck

    init(_ backends: Backends, _ shares: LiveShares, _ shared: SharedHandler, _ key: DeploymentKey) {
        identities = IdentityCheck(key)
        self.backends = backends
        self.shares = shares
        self.shared = shared
    }

    func getSharedWithMe(
        _ request: GetSharedWithMeRequest, _ context: CallContext
    ) async throws -> GetSharedWithMeResponse {
        let (id, account) = (request.id, try guest(context))
        let grant = try await shares.grant(id, for: account)
        // As a link that shows the note, and no photos of a library.
        var share = Share(id: id, pinId: grant.pinId, withNote: true, listId: grant.listId)
        let content: GetSharedPinResponse
        if grant.listId.isEmpty || !request.pinId.isEmpty {
            try await check(request.pinId, in: grant)
            if !request.pinId.isEmpty { share.pinId = request.pinId }
            content = try await shared.shared(share, of: grant.owner, for: account)
        } else {
            content = try await shared.sharedList(share, of: grant.owner, for: account)
        }
        return GetSharedWithMeResponse(shared: grant.shared, content: content)
    }

    func addSharedPhoto(
        _ request: AddSharedPhotoRequest, _ context: CallContext
    ) async throws -> AddSharedPhotoResponse {
        let (id, account) = (request.id, try guest(context))
        let grant = try await shares.grant(id, for: account)
        guard grant.shared?.right == .addPhotos, !grant.pinId.isEmpty else {
            throw RPCError(.permissionDenied, "this is shared to be seen; who shares it can allow you to add photos")
        }
        let answer = try await GuestPhotoServiceClient(backends.photos).addGuestPhoto(
            AddGuestPhotoRequest(
                uploadId: request.uploadId, pinId: grant.pinId, owner: grant.owner, addedBy: grant.guestName),
            shares.options(for: account, timeout: Self.timeout))
        return AddSharedPhotoResponse(photo: answer.photo)
    }

    /// Of a list only pins that are in it now; of a pin itself alone.
    private func check(_ pin: String, in grant: CheckGrantResponse) async throws {
        if pin.isEmpty || pin == grant.pinId { return }
        guard !grant.listId.isEmpty else { throw SharedHandler.nowhere }
        let lists = try await ListServiceClient(backends.pins).listLists(
            ListListsRequest(pinId: pin), shares.options(for: grant.owner))
        guard lists.lists.contains(where: { $0.id == grant.listId }) else { throw SharedHandler.nowhere }
    }

    /// In open mode all have one profile, with which nothing is shared.
    private func guest(_ context: CallContext) throws -> String {
        var context = context
        try identities.admit(&context)
        let account = try context.account
        guard context.identity?.credential != .nothing else {
            throw RPCError(.unauthenticated, "log in first: things are shared with accounts alone")
        }
        return account
    }
}
