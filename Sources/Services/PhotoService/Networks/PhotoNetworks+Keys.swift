import LiveNetworks
import Networks

/// What accounts can have at networks with keys of their own.
extension PhotoNetworks {
    /// The networks that keys can be for.
    static var ofKeys: [String] { Network.ofKeys.names }

    /// The servers of a network that keys can be for, as people reach them.
    func keyServers(of network: String) -> [String] {
        switch network {
        case PhotoID.immichNetwork: libraries.servers.map(\.publicURL)
        case InstagramMedia.network: asker(of: InstagramMedia.self).map { [$0.0.url] } ?? []
        default: []
        }
    }

    /// Tries a key at one of the servers: why it does not open all that is needed, or nil.
    func failure(of key: String, for network: String, at server: String) async throws -> AskFailure? {
        if network == InstagramMedia.network, let (instagram, queue) = asker(of: InstagramMedia.self) {
            return try await instagram.failure(token: key, queue)
        }
        guard let api = libraries.api(server, key: key) else {
            return AskFailure(.unavailable, "it is no server that keys can be for")
        }
        return try await ImmichTrial(api: api).failure()
    }

    /// Whether an account likes a photo at its network; nil when that can't be known.
    func isLiked(_ id: PhotoID, by account: String) async -> Bool? {
        guard id.network == InstagramMedia.network, let (instagram, queue) = asker(of: InstagramMedia.self),
            let keys = try? await keyring.keys(of: account),
            let key = keys.first(where: { $0.key.network == id.network && $0.key.server == instagram.url }),
            let token = keyring.secret(of: key)
        else { return nil }
        return try? await instagram.isLiked(id.providerID, token: token, queue).get()
    }
}
