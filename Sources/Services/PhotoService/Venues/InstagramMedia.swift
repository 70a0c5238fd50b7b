import Bytes
import Daemon
import Geo
import HTTPClient
import LiveNetworks
import Networks

/// Instagram's recent photos of a location, in the shape that its API had until 2018, for servers that still speak it.
struct InstagramMedia: PictureSource {
    static let network = Network.instagram.name
    static let about = ProviderAbout(
        gives: "photos", attribution: "Instagram",
        sends: "A server that speaks the API that Instagram has ended learns of which of its locations the album is"
            + " opened, the account's key, and this server's address.")
    /// How long the question whether a photo is liked may take: the reader of the photo waits for it.
    private static let patience = Duration.seconds(3)

    let url: String
    /// The operator's token. No error, log or metric has it.
    let token: String
    /// What addresses of bytes begin with, if the operator names it; else any server of the public internet.
    var files: String?

    var isNamedByOperator: Bool { files != nil }

    func mayFetch(_ url: String) -> Bool { url.begins(with: files ?? "https://") }

    func request(_ location: String) -> HTTPClientRequest {
        HTTPClientRequest(
            url: "\(url)/v1/locations/\(location)/media/recent?\(FormText.text([("access_token", token)]))")
    }

    /// The photos of a location in an answer about it.
    func photos(
        _ response: HTTPClientResponse, at unixMilliseconds: Int64, of place: Coordinate
    ) -> Result<[Photo], AskFailure> {
        if response.status == 404 || response.status == 410 { return .success([]) }
        return data(LossyList<InstagramMedium>.self, response, unixMilliseconds).map { list in
            list.elements.compactMap { photo($0, place) }
        }
    }

    /// Nil unless it is a picture that can be fetched, of someone who is named.
    private func photo(_ medium: InstagramMedium, _ place: Coordinate) -> Photo? {
        guard medium.type ?? "image" == "image", Self.isID(medium.id),
            let image = medium.images?.standard_resolution, mayFetch(image.url), image.url.utf8.count <= 2_048,
            let page = medium.link, page.begins(with: "https://") || page.begins(with: "http://"),
            page.utf8.count <= 2_048
        else { return nil }
        return FoundPhoto(
            network: Self.network, id: medium.id, title: PlainText.line(medium.caption?.text ?? "", limit: 2_200),
            position: place,
            credit: Credit(
                author: PlainText.line(medium.user?.username ?? "", limit: 200), licence: "", sourceURL: page),
            fetchURL: image.url, width: image.width?.pixels ?? 0, height: image.height?.pixels ?? 0,
            takenMilliseconds: TakenTime.ofSeconds(medium.created_time),
            tags: medium.tags?.value?.elements ?? [])?.photo
    }

    /// It becomes a part of addresses: "22000001_33".
    private static func isID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { "0123456789_".utf8.contains($0) }
    }
}

extension InstagramMedia {
    /// Whether the person whose token this is likes a photo.
    func isLiked(_ id: String, token: String, _ queue: NetworkQueue) async throws -> Result<Bool, AskFailure> {
        try await ask("media/\(id)", token, queue, InstagramMedium.self).flatMap { medium in
            medium.user_has_liked.map { .success($0) }
                ?? .failure(AskFailure(.malformed, "it does not say whether the photo is liked"))
        }
    }

    /// Why a token opens nothing; nil when it does.
    func failure(token: String, _ queue: NetworkQueue) async throws -> AskFailure? {
        guard case .failure(let failure) = try await ask("users/self", token, queue, InstagramPerson.self) else {
            return nil
        }
        return failure
    }

    /// An error about someone's token is no failure of the network.
    private func ask<Content: Decodable & Sendable>(
        _ path: String, _ token: String, _ queue: NetworkQueue, _ type: Content.Type
    ) async throws -> Result<Content, AskFailure> {
        var request = HTTPClientRequest(url: "\(url)/v1/\(path)?\(FormText.text([("access_token", token)]))")
        request.timeout = Self.patience
        let answer = try await queue.ask(request) { response, now -> Result<Result<Content, AskFailure>, AskFailure> in
            let answer = data(type, response, now)
            if case .failure(let failure) = answer, failure.kind != .auth { return .failure(failure) }
            return .success(answer)
        }
        return answer.flatMap { $0 }
    }

    private func data<Content: Decodable & Sendable>(
        _ type: Content.Type, _ response: HTTPClientResponse, _ now: Int64
    ) -> Result<Content, AskFailure> {
        let envelope = InstagramEnvelope<Content>(json: response.body)
        if let refusal = envelope?.meta.failure(RetryAfter.milliseconds(response, at: now)) { return .failure(refusal) }
        if let failure = AskFailure(response, at: now) { return .failure(failure) }
        guard let data = envelope?.data else {
            return .failure(AskFailure(.malformed, "its answer is not of the old shape"))
        }
        return .success(data)
    }
}

/// An answer, around what was asked for.
private struct InstagramEnvelope<Content: Decodable & Sendable>: Decodable {
    let meta: InstagramMeta
    let data: Content?
}

/// Something that was posted.
private struct InstagramMedium: Decodable, Sendable {
    struct Caption: Decodable, Sendable {
        let text: String?
    }

    struct Image: Decodable, Sendable {
        let url: String
        let width: LooseNumber?
        let height: LooseNumber?
    }

    struct Images: Decodable, Sendable {
        let standard_resolution: Image?
    }

    let id: String
    let type: String?
    let link: String?
    let created_time: LooseNumber?
    let caption: Caption?
    let user: InstagramPerson?
    let images: Images?
    let tags: LooseValue<LossyList<String>>?
    let user_has_liked: Bool?
}

private struct InstagramPerson: Decodable, Sendable {
    let username: String?
}
