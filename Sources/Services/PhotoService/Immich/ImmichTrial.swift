import LiveNetworks

/// Tries whether a key opens all that is needed: the list of photos, and the picture of one.
struct ImmichTrial: Sendable {
    let api: ImmichAPI

    /// Why it does not; nil when it does.
    func failure() async throws -> AskFailure? {
        switch try await api.version() {
        case .failure(let failure): return failure
        case .success(let version):
            return try await failure(version)?.explained(version)
        }
    }

    private func failure(_ version: ImmichVersion) async throws -> AskFailure? {
        switch version.hasAreas ? try await newer() : try await older() {
        case .failure(let failure): return failure
        // Without a photo there is nothing to be shown yet.
        case .success(nil): return nil
        case .success(let asset?):
            guard ImmichLibrary.isAsset(asset) else {
                return AskFailure(.malformed, "it names a photo by something that is no UUID")
            }
            guard case .failure(let failure) = try await api.picture(of: asset, .thumbnail) else { return nil }
            return failure
        }
    }

    /// A photo of the month with the fewest.
    private func newer() async throws -> Result<String?, AskFailure> {
        switch try await api.months(in: nil) {
        case .failure(let failure): return .failure(failure)
        case .success(let months):
            guard let month = months.min(by: { $0.count < $1.count }) else { return .success(nil) }
            return try await api.photos(of: month.timeBucket, in: nil).map(\.id.first)
        }
    }

    private func older() async throws -> Result<String?, AskFailure> {
        try await api.markers().map { $0.first?.id }
    }
}
