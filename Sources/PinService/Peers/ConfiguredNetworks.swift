import RPC

/// The networks that searches can ask at this server, switched on or not.
struct ConfiguredNetworks: Sendable {
    /// All that there are, in alphabetical order. Libraries that accounts open with keys of their own are not among
    /// them: giving the key is the choice.
    static let known = [
        "catalog", "commons", "flickr", "folder", "foursquare", "instagram", "openstreetmap", "panoramax",
    ]

    let places: any PlaceFinder
    let albums: any AlbumSearcher

    /// Asks both services, on behalf of an account. UNAVAILABLE when one does not answer.
    func names(for account: String) async throws(RPCError) -> Set<String> {
        do {
            async let ofPlaces = places.configuredNetworks(for: account)
            async let ofPhotos = albums.configuredNetworks(for: account)
            return Set(try await ofPlaces + ofPhotos).intersection(Self.known)
        } catch {
            throw RPCError(.unavailable, "which networks there are can't be asked now: \(error); try again")
        }
    }
}
