import Bytes
import Geo
import HTTPClient
import LiveNetworks
import PictureCalls

/// Immich's API with one key. What it says of the key or of a photo is no failure of the server.
///
/// https://api.immich.app
struct ImmichAPI: Sendable {
    /// Bytes of an answer: of 200,000 positions, or of a month of 100,000 photos.
    private static let answerBytes = 32 << 20

    typealias Renewal = @Sendable () async throws -> Void

    let server: ImmichServer
    let key: String
    let queue: NetworkQueue
    /// For whom it is asked.
    var asker = NetworkAsker.service
    /// Called while a request waits for others.
    var renew: Renewal = {}

    func version() async throws -> Result<ImmichVersion, AskFailure> {
        try await ask("/server/version", []) { ImmichVersion(json: $0) }
    }

    /// The months of photos in a box; without one, of all. From 2.6 on.
    func months(in box: Box?) async throws -> Result<[ImmichMonth], AskFailure> {
        try await ask("/timeline/buckets", Self.filters(box)) { LossyList<ImmichMonth>(json: $0)?.elements }
    }

    /// The photos of a month. The list names months by their days; here the beginning of the day is wanted, except by
    /// some that want the day, and refuse the other.
    func photos(of month: String, in box: Box?) async throws -> Result<ImmichPhotos, AskFailure> {
        let day = String(month.prefix(10))
        let answer = try await photos(at: "\(day)T00:00:00.000Z", box)
        guard case .failure(let failure) = answer, failure.reason.begins(with: Self.refusal) else { return answer }
        return try await photos(at: day, box)
    }

    private func photos(at time: String, _ box: Box?) async throws -> Result<ImmichPhotos, AskFailure> {
        try await ask("/timeline/bucket", [("timeBucket", time)] + Self.filters(box)) {
            ImmichPhotos(json: $0).flatMap { $0.isSound ? $0 : nil }
        }
    }

    /// All photos that have a position.
    func markers() async throws -> Result<[ImmichMarker], AskFailure> {
        try await ask("/map/markers", [("isArchived", "false")]) { LossyList<ImmichMarker>(json: $0)?.elements }
    }

    /// The bytes of a picture, whatever they are. `.success(nil)` when there is no such photo.
    func picture(of asset: String, _ size: PictureSize) async throws -> Result<[UInt8]?, AskFailure> {
        let name = size == .large ? "preview" : "thumbnail"
        var request = request("/assets/\(asset)/thumbnail", [("size", name)])
        request.maximumBytes = PictureLimit.bytes
        return try await send(request) { response in
            // Immich says 400 of a photo that is not there, and of one that is another's.
            response.status == 400 || response.status == 404 ? .success(nil) : .success(response.body)
        }
    }

    /// Without a key it says no more than its version; so that no other parameter is in a request than is known.
    private static func filters(_ box: Box?) -> [(String, String)] {
        let shown = [("visibility", "timeline"), ("withCoordinates", "true")]
        guard let box else { return shown }
        let edges = [box.west, box.south, box.east, box.north].map { "\($0)" }
        return shown + [("bbox", edges.joined(separator: ","))]
    }

    private func request(_ path: String, _ fields: [(String, String)]) -> HTTPClientRequest {
        let query = fields.isEmpty ? "" : "?\(FormText.text(fields))"
        var request = HTTPClientRequest(url: "\(server.url)/api\(path)\(query)", headers: [("x-api-key", key)])
        request.maximumBytes = Self.answerBytes
        return request
    }

    private static let refusal = "it refuses the question"

    private func ask<Answer: Sendable>(
        _ path: String, _ fields: [(String, String)], _ read: @escaping @Sendable ([UInt8]) -> Answer?
    ) async throws -> Result<Answer, AskFailure> {
        try await send(request(path, fields)) { response in
            switch response.status {
            case 400:
                return .failure(AskFailure(.malformed, "\(Self.refusal): \(ImmichRefusal.text(of: response))"))
            case 404: return .failure(AskFailure(.malformed, "it has no \(path): it is no Immich, or an old one"))
            default: break
            }
            guard let answer = read(response.body) else {
                return .failure(AskFailure(.malformed, "its answer to \(path) is not the JSON that it describes"))
            }
            return .success(answer)
        }
    }

    /// Sends a request. `read` gets what the server says with 200, 400 or 404.
    private func send<Answer: Sendable>(
        _ request: HTTPClientRequest,
        _ read: @escaping @Sendable (HTTPClientResponse) -> Result<Answer, AskFailure>
    ) async throws -> Result<Answer, AskFailure> {
        let answer = try await queue.ask(request, for: asker, renew: renew) {
            response, now -> Result<Result<Answer, AskFailure>, AskFailure> in
            switch response.status {
            case 200, 400, 404: .success(read(response))
            case 401: .success(.failure(AskFailure(.auth, "the server does not accept the key")))
            case 403 where response.headers["retry-after"] == nil:
                .success(.failure(AskFailure(.auth, "the key may not do this: \(ImmichRefusal.text(of: response))")))
            default: .failure(AskFailure(response, at: now) ?? AskFailure(.malformed, "it answers with nothing"))
            }
        }
        return answer.flatMap { $0 }
    }
}

/// Why Immich refuses a request: its message is a text, or a list of texts.
struct ImmichRefusal: Decodable {
    private struct Line: Decodable {
        let message: String?
    }

    private let message: String?
    private let lines: [String]

    private enum CodingKeys: String, CodingKey { case message, errors }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        message = try? fields.decode(String.self, forKey: .message)
        let named = (try? fields.decode(LossyList<Line>.self, forKey: .errors))?.elements.compactMap(\.message)
        lines = named ?? (try? fields.decode([String].self, forKey: .message)) ?? []
    }

    /// As one line for people.
    static func text(of response: HTTPClientResponse) -> String {
        guard let refusal = ImmichRefusal(json: response.body) else { return "it does not say why" }
        let words = ([refusal.message].compactMap(\.self) + refusal.lines).joined(separator: ", ")
        return words.isEmpty ? "it does not say why" : PlainText.line(words, limit: 200)
    }
}
