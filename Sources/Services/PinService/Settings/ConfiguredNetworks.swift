import FieldRules
import RPC

/// The networks that searches can ask at this server, switched on or not.
struct ConfiguredNetworks: Sendable {
    let places: any PlaceFinder
    let albums: any AlbumSearcher

    /// Asks both services, on behalf of an account. UNAVAILABLE when one does not answer.
    func names(for account: String) async throws(RPCError) -> Set<String> {
        do {
            async let ofPlaces = places.configuredNetworks(for: account)
            async let ofPhotos = albums.configuredNetworks(for: account)
            return Set(try await ofPlaces + ofPhotos).intersection(FieldForm.searchedNetwork.rule.names)
        } catch {
            throw RPCError(.unavailable, "which networks there are can't be asked now: \(error); try again")
        }
    }
}
