import Bytes
import HTTPClient

/// What Instagram says of an answer in the shape that it had until 2018, within the answer.
package struct InstagramMeta: Decodable, Sendable {
    let code: Int
    let error_type: String?
    let error_message: String?

    /// Why it reports a failure; nil when it does not.
    package func failure(_ wait: Int64?) -> AskFailure? {
        guard code != 200 || error_type != nil else { return nil }
        let words = [error_type, error_message].compactMap(\.self).joined(separator: ": ").prefix(200)
        let text = words.isEmpty ? "it refuses (\(code))" : "\(words) (\(code))"
        switch (error_type, code) {
        case ("OAuthRateLimitException"?, _), (_, 429):
            return AskFailure(.quota, text, retryAfterMilliseconds: wait)
        case (let type?, _) where type.begins(with: "OAuth") || type.holds("authenticated"):
            return AskFailure(.auth, text)
        case (_, 500...599): return AskFailure(.unavailable, text, retryAfterMilliseconds: wait)
        default: return AskFailure(.malformed, text)
        }
    }
}
