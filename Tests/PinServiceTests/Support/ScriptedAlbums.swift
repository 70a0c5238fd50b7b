import Fakes
import PhotoContracts
import EventLoops
import RPC
import Synchronization
import TestSupport

/// The photo service's side towards pins: it ends every search at once, and tells what a test puts there.
final class ScriptedAlbums: AlbumSearchServiceFake {
    struct State {
        var epoch: UInt64 = 7
        var version: UInt64 = 0
        /// What is reported, by subject, with its version.
        var sent: [String: (version: UInt64, summary: SubjectSummary)] = [:]
        /// The parts of searches that came.
        var parts: [SearchAlbumsRequest] = []
        var forgotten: [String] = []
        /// Photos of places, put there before they are asked for.
        var photos: [String: UInt32] = [:]
        /// What a search is answered with instead.
        var fault: RPCError?
        /// Whether a search ends by itself.
        var endsSearches = true
        /// What accounts have chosen, as it came last.
        var chosen: [String: PhotoContracts.NetworkChoice] = [:]
        /// Who asked.
        var accounts: Set<String> = []
    }

    let state = Mutex(State())
    let bell = Bell()
    let searches = Tally()
    let forgets = Tally()
    let choices = Tally()
    let networks = ScriptedPhotoNetworks()

    func set(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        bell.ring()
    }

    func tell(
        _ subject: String, _ summary: AlbumSummary, generation: UInt64 = 0, accounts: [AccountPhotos] = []
    ) {
        set { $0.tell(subject, summary, generation: generation, accounts: accounts) }
    }

    func searchAlbums(_ request: SearchAlbumsRequest, _ context: CallContext) async throws -> SearchAlbumsResponse {
        let account = try context.account
        if let fault = state.withLock({ $0.fault }) {
            searches.add()
            throw fault
        }
        set { state in
            state.accounts.insert(account)
            state.parts.append(request)
            for place in request.places {
                guard let count = state.photos[place.id] else { continue }
                state.tell("place/\(place.id)", AlbumSummary(state: .listed, photoCount: count))
            }
            if request.isLast, state.endsSearches {
                state.tell(
                    "pin/\(request.pinId)", AlbumSummary(state: .empty),
                    generation: request.morePlacesFollow ? 0 : request.generation)
            }
        }
        searches.add()
        return SearchAlbumsResponse()
    }

    func chooseNetworks(
        _ request: ChooseNetworksRequest, _ context: CallContext
    ) async throws -> ChooseNetworksResponse {
        let account = try context.account
        state.withLock { $0.chosen[account] = request.choice }
        choices.add()
        return ChooseNetworksResponse()
    }

    func forgetAccount(_ request: ForgetAccountRequest, _ context: CallContext) async throws -> ForgetAccountResponse {
        ForgetAccountResponse()
    }

    func forgetPin(_ request: ForgetPinRequest, _ context: CallContext) async throws -> ForgetPinResponse {
        let account = try context.account
        state.withLock { $0.forgotten.append("\(account) \(request.pinId)") }
        forgets.add()
        return ForgetPinResponse()
    }

    func watchSummaries(
        _ request: WatchSummariesRequest, _ responses: ResponseWriter<WatchSummariesResponse>, _ context: CallContext
    ) async throws {
        guard context.identity?.service == "pin-service" else { throw RPCError(.permissionDenied, "not yours") }
        var version = request.fromVersion
        var epoch = request.epoch
        while true {
            let count = bell.count
            let answer = state.withLock { $0.updates(after: version, epoch) }
            if !answer.albums.isEmpty || answer.epoch != epoch { try await responses.write(answer) }
            (version, epoch) = (answer.version, answer.epoch)
            if answer.albums.count < 500 { await bell.wait(after: count) }
            try Task.checkCancellation()
        }
    }
}

extension ScriptedAlbums.State {
    mutating func tell(
        _ subject: String, _ summary: AlbumSummary, generation: UInt64 = 0, warning: String = "",
        accounts: [AccountPhotos] = []
    ) {
        version += 1
        sent[subject] = (
            version,
            SubjectSummary(
                subject: subject, summary: summary, accounts: accounts, generation: generation, warning: warning)
        )
    }

    func updates(after version: UInt64, _ epoch: UInt64) -> WatchSummariesResponse {
        let start = epoch == self.epoch ? version : 0
        let updates = sent.values.filter { $0.version > start }.sorted { $0.version < $1.version }.prefix(500)
        return WatchSummariesResponse(
            albums: updates.map(\.summary), version: updates.last?.version ?? start, epoch: self.epoch)
    }
}
