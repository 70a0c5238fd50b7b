import HTTPClient

/// What Foursquare says of an answer in its second shape, within the answer.
package struct FoursquareMeta: Decodable, Sendable {
    let code: Int
    let errorType: String?
    let errorDetail: String?

    /// Why it reports a failure; nil when it does not.
    package func failure(_ wait: Int64?) -> AskFailure? {
        guard code != 200 else { return nil }
        let reason = [errorType, errorDetail].compactMap(\.self).joined(separator: ": ").prefix(200)
        let text = reason.isEmpty ? "it refuses (\(code))" : "\(reason) (\(code))"
        switch errorType {
        case "rate_limit_exceeded", "quota_exceeded":
            return AskFailure(.quota, text, retryAfterMilliseconds: wait)
        case "invalid_auth", "not_authorized": return AskFailure(.auth, text)
        case "param_error", "endpoint_error", "deprecated": return AskFailure(.malformed, text)
        case "server_error": return AskFailure(.unavailable, text, retryAfterMilliseconds: wait)
        default:
            let status = HTTPClientResponse(status: code)
            var failure = AskFailure(status, at: 0, says: reason.isEmpty ? nil : String(reason))
            failure?.retryAfterMilliseconds = wait
            return failure
        }
    }
}
