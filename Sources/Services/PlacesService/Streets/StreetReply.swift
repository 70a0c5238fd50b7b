import Bytes
import Compression
import HTTPClient
import LiveNetworks
import VectorTiles

/// What a server's answer to a request for a tile comes to. It is anyone's: all of it is checked.
enum StreetReply: Sendable, Equatable {
    /// The tile, and whether it may be kept.
    case tile(KeptTile, mayBeKept: Bool)
    /// The kept tile has not changed, and is shown so much longer.
    case same(expires: Int64)
    /// Nothing is there: there is nothing on it, or its edition has gone.
    case missing(expires: Int64)

    /// Bytes of a tile in gzip, and unpacked.
    static let maximumPacked = 2 << 20
    static let maximumUnpacked = 8 << 20
    /// A server that refuses us is left alone for so long, if it does not say for how long itself.
    private static let refusalMilliseconds: Int64 = 600_000
    /// What is missing may come with the next edition.
    private static let longestMissing: Int64 = 86_400_000
    /// The longest tag that is kept.
    private static let longestTag = 200
    /// What servers of vector tiles call them; some say nothing of it.
    private static let mediaTypes = [
        "", "application/x-protobuf", "application/protobuf", "application/vnd.mapbox-vector-tile",
        "application/octet-stream", "application/gzip", "application/x-gzip", "binary/octet-stream",
    ]

    static func read(
        _ response: HTTPClientResponse, edition: String, at now: Int64
    ) -> Result<StreetReply, AskFailure> {
        let life = AnswerLife(response, at: now)
        var facts = KeptTile.Facts(edition: edition)
        facts.expires = now + life.milliseconds
        facts.fetched = now
        facts.tag = tag(response.headers["etag"])
        facts.modified = tag(response.headers["last-modified"])
        switch response.status {
        case 304: return .success(.same(expires: facts.expires))
        case 404, 410: return .success(.missing(expires: now + min(life.milliseconds, longestMissing)))
        case 200 where response.body.isEmpty && isCut(response):
            return .failure(AskFailure(.malformed, "its answer is damaged gzip"))
        case 200 where response.body.isEmpty, 204:
            return .success(.tile(KeptTile([], facts), mayBeKept: life.mayBeKept))
        case 200:
            return packed(response).map { .tile(KeptTile($0, facts), mayBeKept: life.mayBeKept) }
        case 403:
            return .failure(
                AskFailure(
                    .auth, "access is refused (403)",
                    retryAfterMilliseconds: RetryAfter.milliseconds(response, at: now) ?? refusalMilliseconds))
        default:
            return .failure(
                AskFailure(response, at: now) ?? AskFailure(.malformed, "it answers with \(response.status)"))
        }
    }

    /// Whether more came than nothing, or nothing in gzip: libcurl takes a beginning of gzip for nothing.
    private static func isCut(_ response: HTTPClientResponse) -> Bool {
        guard let count = response.headers["content-length"].flatMap({ Int($0) }) else { return false }
        return count > 0 && !(20...64).contains(count)
    }

    /// The tile in gzip, as it came or packed here.
    private static func packed(_ response: HTTPClientResponse) -> Result<[UInt8], AskFailure> {
        let type = (response.headers["content-type"] ?? "").until(";").trimmed.asciiLowercased
        guard mediaTypes.contains(where: { $0.isSame(as: type) }) else {
            return .failure(AskFailure(.malformed, "its answer is \(type.prefix(80)), and no vector tile"))
        }
        let isPacked = response.body.starts(with: [0x1f, 0x8b])
        var bytes = response.body
        if isPacked {
            guard bytes.count <= maximumPacked else { return .failure(tooLong) }
            switch Gzip.unpack(bytes, limit: maximumUnpacked) {
            case .bytes(let unpacked): bytes = unpacked
            case .tooLong: return .failure(tooLong)
            case .damaged: return .failure(AskFailure(.malformed, "its answer is damaged gzip"))
            }
        }
        guard TileOutline.isTile(bytes) else {
            return .failure(AskFailure(.malformed, "its answer is no vector tile"))
        }
        let packed = isPacked ? response.body : Gzip.pack(bytes)
        return packed.count <= maximumPacked ? .success(packed) : .failure(tooLong)
    }

    private static var tooLong: AskFailure {
        AskFailure(.malformed, "its tile has more than \(maximumPacked) bytes, or unpacks to \(maximumUnpacked)")
    }

    /// What is sent back to the server one day; nothing of what can't be.
    private static func tag(_ text: String?) -> String {
        guard let text, text.utf8.count <= longestTag, text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) else {
            return ""
        }
        return text
    }
}

/// For how long an answer is shown without asking again, by its own words (RFC 9111): a week if it has none.
struct AnswerLife {
    private static let usual: Int64 = 7 * 86_400_000
    /// Paths of tiles have an edition, so that servers say ten years; what is wrong should not stay for so long.
    private static let bounds: ClosedRange<Int64> = 60_000...30 * 86_400_000

    let milliseconds: Int64
    let mayBeKept: Bool

    init(_ response: HTTPClientResponse, at now: Int64) {
        let words = (response.headers["cache-control"] ?? "").split(at: ",").map { $0.trimmed.asciiLowercased }
        func seconds(_ name: String) -> Int64? { words.lazy.compactMap { $0.after(name).flatMap { Int64($0) } }.first }
        mayBeKept = !words.contains { $0.isSame(as: "no-store") }
        let age = response.headers["age"].flatMap { Int64($0) } ?? 0
        var life = Self.usual
        if words.contains(where: { $0.isSame(as: "no-cache") }) {
            life = 0
        } else if let said = seconds("s-maxage=") ?? seconds("max-age=") {
            life = (min(max(said, 0), Self.bounds.upperBound) - min(max(age, 0), Self.bounds.upperBound)) * 1_000
        } else if let text = response.headers["expires"] {
            // What is no date has expired.
            let date = response.headers["date"].flatMap(HTTPDate.unixSeconds) ?? now / 1_000
            life = HTTPDate.unixSeconds(text).map { ($0 - date).clamped * 1_000 } ?? 0
        }
        milliseconds = min(max(life, Self.bounds.lowerBound), Self.bounds.upperBound)
    }
}

extension Int64 {
    /// Within what a date can be apart from another one here.
    fileprivate var clamped: Int64 { Swift.min(Swift.max(self, 0), 1_000_000_000) }
}
