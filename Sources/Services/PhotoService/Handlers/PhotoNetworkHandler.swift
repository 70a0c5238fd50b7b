import PhotoContracts
import Daemon
import LiveNetworks
import Networks
import RPC
import Storage

/// Answers calls about the networks that photos come from.
struct PhotoNetworkHandler: PhotoNetworkServiceHandler {
    let networks: PhotoNetworks
    let store: PhotoStore
    /// Whether it has a folder of pictures.
    let hasFolder: Bool

    func listPhotoNetworks(
        _ request: ListPhotoNetworksRequest, _ context: CallContext
    ) async throws -> ListPhotoNetworksResponse {
        var infos: [NetworkInfo] = []
        if hasFolder {
            infos.append(NetworkInfo(name: PhotoID.folderNetwork, on: true, gives: ["photos"], available: true))
        }
        for name in networks.names { if let info = try await networks.info(name) { infos.append(context.shown(info)) } }
        return ListPhotoNetworksResponse(networks: infos, canSwitch: context.maySwitchNetworks)
    }

    func switchPhotoNetwork(
        _ request: SwitchPhotoNetworkRequest, _ context: CallContext
    ) async throws -> SwitchPhotoNetworkResponse {
        guard networks.names.contains(request.network) else {
            throw RPCError(
                .failedPrecondition,
                "network: \(request.network) is not available; its settings at the photo service make it so")
        }
        let (isOn, time) = (request.on, store.clock.unixMilliseconds)
        try await networks.switches.turn(
            request.network, on: isOn, contact: request.contact, settings: "", context
        ) { transaction throws(SQLError) in
            if isOn { try transaction.searchEmptyAlbums(at: time) }
        }
        return SwitchPhotoNetworkResponse(network: try await networks.info(request.network))
    }
}

extension Transaction {
    /// The most albums that are searched again when a network is switched on: the newest.
    private static var maximumEmptyAlbums: Int64 { 1_000 }
    /// Between their searches, so that those of new pins come in between, in milliseconds.
    private static var pause: Int64 { 500 }

    /// Requests another search of albums of pins that never had a photo.
    func searchEmptyAlbums(at time: Int64) throws(SQLError) {
        let subjects = try rows(
            """
            SELECT subject FROM albums
            WHERE subject > 'pin/' AND subject < 'pin0' AND next_ordinal = 0 AND searched_generation = generation
            ORDER BY subject DESC LIMIT ?1
            """, Self.maximumEmptyAlbums
        ) { row throws(SQLError) in try row.text(0) }
        try searchAgain(subjects, at: time)
    }

    /// Requests another search of those of one account.
    func searchEmptyAlbums(of account: String, at time: Int64) throws(SQLError) {
        let subjects = try rows(
            """
            SELECT subject FROM albums WHERE account = ?1 AND subject > 'pin/' AND subject < 'pin0'
                AND next_ordinal = 0 AND searched_generation = generation
            ORDER BY subject DESC LIMIT ?2
            """, account, Self.maximumEmptyAlbums
        ) { row throws(SQLError) in try row.text(0) }
        try searchAgain(subjects, at: time)
    }

    private func searchAgain(_ subjects: [String], at time: Int64) throws(SQLError) {
        for (index, subject) in subjects.enumerated() {
            guard let subject = AlbumSubject(subject), let album = try album(subject) else { continue }
            _ = try takeEvent(.searchRequested, album)
            try enqueue("search", subject.text, at: time + Int64(index) * Self.pause)
        }
    }
}
