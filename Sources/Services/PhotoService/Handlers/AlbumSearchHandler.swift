import PhotoContracts
import Daemon
import EventLoops
import RPC
import Refusals
import Storage
import Stores

/// Answers the pin service's calls about the albums of pins and their places.
struct AlbumSearchHandler: AlbumSearchServiceHandler {
    /// The shortest interval between two answers of a watch.
    private static let pace = Duration.milliseconds(100)

    private let store: PhotoStore

    init(_ store: PhotoStore) { self.store = store }

    func searchAlbums(_ request: SearchAlbumsRequest, _ context: CallContext) async throws -> SearchAlbumsResponse {
        let part = try PinSearch(request, account: try context.account)
        try await store.record(part, deadline: context.storageDeadline)
        return SearchAlbumsResponse()
    }

    func chooseNetworks(
        _ request: ChooseNetworksRequest, _ context: CallContext
    ) async throws -> ChooseNetworksResponse {
        let account = try context.account
        guard let choice = request.choice else { throw Refusal(missing: "choice", needed: "a choice is") }
        let (chosen, time) = (try NetworksChosen(choice, field: "choice"), store.clock.unixMilliseconds)
        try await store.write(deadline: context.storageDeadline) { transaction throws(SQLError) in
            try transaction.putChosenNetworks(chosen, of: account, at: time)
        }
        return ChooseNetworksResponse()
    }

    func forgetPin(_ request: ForgetPinRequest, _ context: CallContext) async throws -> ForgetPinResponse {
        let pin = try PinSearch.pin(request.pinId)
        try await store.forget(pin: pin, of: try context.account, deadline: context.storageDeadline)
        return ForgetPinResponse()
    }

    func forgetAccount(_ request: ForgetAccountRequest, _ context: CallContext) async throws -> ForgetAccountResponse {
        let account = try context.account
        while try await store.forgetPart(of: account, deadline: context.storageDeadline) {}
        return ForgetAccountResponse()
    }

    func watchSummaries(
        _ request: WatchSummariesRequest, _ responses: ResponseWriter<WatchSummariesResponse>, _ context: CallContext
    ) async throws {
        var version = try request.cursor(epoch: store.epoch)
        var isFirst = true
        try await store.watch(pace: Self.pace) {
            let found = try await store.summaries(after: version)
            // The first answer carries the epoch, also when it has no albums.
            if isFirst || !found.albums.isEmpty {
                try await responses.write(WatchSummariesResponse(found, epoch: store.epoch))
                (version, isFirst) = (found.version, false)
            }
            return found.isAll ? .paced : .more
        }
    }
}
