import Bytes
import Geo
import LiveNetworks

/// The photos that an account has at a server of Immich, by areas.
struct ImmichLibrary: AreaSource {
    let key: NetworkKey
    let api: ImmichAPI

    var name: String { PhotoID.immichNetwork }
    var about: ProviderAbout { ProviderAbout(gives: "photos", attribution: "your own Immich library") }
    var asksForCircles: Bool { false }

    /// First the months are listed, then each is asked for: a cursor is the rest of that list. A server that lists no
    /// areas lists everything.
    func items(
        in patch: GridPatch, cursor: String?, by queue: NetworkQueue, for asker: NetworkAsker,
        renew: @escaping ImmichAPI.Renewal
    ) async throws -> Result<AnswerPage<FoundPhoto>, AskFailure> {
        var api = api
        (api.asker, api.renew) = (asker, renew)
        if let cursor { return try await month(cursor, patch.hullBoxes, api) }
        switch try await api.version() {
        case .failure(let failure): return .failure(failure)
        case .success(let version):
            let answer = version.hasAreas ? try await months(patch, api) : try await all(in: patch, api)
            return answer.mapError { $0.explained(version) }
        }
    }

    private func all(
        in patch: GridPatch, _ api: ImmichAPI
    ) async throws -> Result<AnswerPage<FoundPhoto>, AskFailure> {
        let boxes = patch.hullBoxes
        return try await api.markers().map { markers in
            let photos = markers.compactMap { photo($0.id, latitude: $0.lat, longitude: $0.lon, taken: nil) }
            return AnswerPage(
                items: photos.filter { found in boxes.contains { $0.contains(found.photo.position) } }, isFull: false)
        }
    }

    private func months(
        _ patch: GridPatch, _ api: ImmichAPI
    ) async throws -> Result<AnswerPage<FoundPhoto>, AskFailure> {
        var list: [String] = []
        for (index, box) in patch.hullBoxes.enumerated() {
            switch try await api.months(in: box) {
            case .failure(let failure): return .failure(failure)
            case .success(let months): list += months.filter { $0.count > 0 }.map { "\(index) \($0.timeBucket)" }
            }
        }
        return .success(Self.page([], rest: list))
    }

    private func month(
        _ cursor: String, _ boxes: [Box], _ api: ImmichAPI
    ) async throws -> Result<AnswerPage<FoundPhoto>, AskFailure> {
        let list = cursor.split(at: ",").map(String.init)
        let words = list.first?.split(at: " ").map(String.init) ?? []
        guard words.count == 2, let index = Int(words[0]), boxes.indices.contains(index) else {
            return .failure(AskFailure(.malformed, "it has named a month that is none"))
        }
        return try await api.photos(of: words[1], in: boxes[index]).map {
            Self.page($0.photos(of: self), rest: Array(list.dropFirst()))
        }
    }

    private static func page(_ photos: [FoundPhoto], rest: [String]) -> AnswerPage<FoundPhoto> {
        AnswerPage(
            items: photos, isFull: !rest.isEmpty, cursor: rest.isEmpty ? nil : rest.joined(separator: ","))
    }

    /// Nil when the server says something that is no photo.
    func photo(
        _ asset: String, latitude: Double, longitude: Double, taken: Int64?, offset: Int? = nil
    ) -> FoundPhoto? {
        guard Self.isAsset(asset), latitude != 0 || longitude != 0,
            let position = try? Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        return FoundPhoto(
            network: name, id: "\(key.id)/\(asset)", title: "", position: position,
            credit: Credit(author: "", licence: "", sourceURL: api.server.page(asset)), fetchURL: "", width: 0,
            height: 0, takenMilliseconds: taken, takenOffsetMinutes: offset)
    }

    /// A UUID: it becomes a part of addresses.
    static func isAsset(_ text: String) -> Bool {
        text.utf8.count == 36 && text.utf8.allSatisfy { "0123456789abcdef-".utf8.contains($0) }
    }
}

extension AskFailure {
    /// Two versions of Immich refuse every key that may not do everything, whatever it may do.
    func explained(_ version: ImmichVersion) -> AskFailure {
        guard kind == .auth, version.wantsAll else { return self }
        return AskFailure(kind, "\(reason); Immich \(version) wants a key with all permissions")
    }
}
