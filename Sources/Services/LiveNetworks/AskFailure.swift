package import HTTPClient

/// Why a request to a live network failed.
package struct AskFailure: Error, Equatable, CustomStringConvertible {
    package enum Kind: Int64, Sendable {
        /// It took too long.
        case timeout = 1
        /// It returns no more for now, or we may not ask for more.
        case quota = 2
        /// It does not accept the key, or the account behind it has no credit.
        case auth = 3
        /// Its answer can't be understood.
        case malformed = 4
        /// It can't be reached, or reports that it can't answer.
        case unavailable = 5
        /// It is switched off here.
        case off = 6
        /// The search that it was for has had all of its requests.
        case spent = 7

        /// Whether asking again later may help.
        package var mayPass: Bool { ![.auth, .off, .spent].contains(self) }
    }

    static let off = AskFailure(.off, "it is switched off")

    package let kind: Kind
    /// What went wrong, in words for people.
    package let reason: String
    /// How long it asks us to pause, in milliseconds; nil when it does not say.
    package var retryAfterMilliseconds: Int64?

    package init(_ kind: Kind, _ reason: String, retryAfterMilliseconds: Int64? = nil) {
        self.kind = kind
        self.reason = reason
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    package var description: String { reason }
}

extension AskFailure {
    /// The failure for a list of which no element can be read: it is one of another version, and says nothing of what
    /// is there.
    package static func unreadable(_ count: Int) -> AskFailure {
        AskFailure(.malformed, "none of its \(count) elements can be read")
    }

    /// The failure for a status other than 200; nil for 200.
    package init?(_ response: HTTPClientResponse, at unixMilliseconds: Int64, says text: String? = nil) {
        let said = text.map { ": \($0.prefix(200))" } ?? ""
        let wait = RetryAfter.milliseconds(response, at: unixMilliseconds)
        switch response.status {
        case 200: return nil
        case 401: self.init(.auth, "the key is not accepted (401)\(said)")
        // Waiting does not pay the bill.
        case 402 where wait == nil: self.init(.auth, "the account's credit is used up (402)\(said)")
        case 402: self.init(.quota, "the account's credit is used up (402)\(said)", retryAfterMilliseconds: wait)
        case 403 where wait != nil || response.headers["x-ratelimit-remaining"] == "0":
            self.init(.quota, "the rate limit is reached (403)\(said)", retryAfterMilliseconds: wait)
        case 403: self.init(.auth, "access is refused (403)\(said)")
        case 429: self.init(.quota, "too many requests (429)\(said)", retryAfterMilliseconds: wait)
        case 408, 504:
            self.init(.timeout, "it is too busy to answer (\(response.status))\(said)", retryAfterMilliseconds: wait)
        case 500...599:
            self.init(.unavailable, "it fails (\(response.status))\(said)", retryAfterMilliseconds: wait)
        default: self.init(.malformed, "it answers with \(response.status)\(said)")
        }
    }

    /// The failure for a request without an answer.
    package init(_ error: HTTPClientError) {
        switch error {
        case .timedOut: self.init(.timeout, "it did not answer in time")
        case .cannotConnect, .brokenOff, .tls, .closed, .cancelled: self.init(.unavailable, error.description)
        case .malformed, .tooLong, .unusable: self.init(.malformed, error.description)
        }
    }
}

/// How long an answer asks us to pause.
package enum RetryAfter {
    /// Pauses longer than a day are cut to it.
    private static let longest = NetworkRules.longestClosedMilliseconds

    /// In milliseconds; nil when the answer does not say. `Retry-After`, in seconds or as a date, takes precedence over
    /// the time at which a rate limit is reset.
    package static func milliseconds(_ response: HTTPClientResponse, at unixMilliseconds: Int64) -> Int64? {
        let now = unixMilliseconds / 1_000
        if let text = response.headers["retry-after"] {
            if let seconds = Int64(text) { return bounded(seconds) }
            if let moment = HTTPDate.unixSeconds(text) { return bounded(moment - now) }
        }
        guard let text = response.headers["x-ratelimit-reset"], let seconds = Int64(text) else { return nil }
        // A time since 1970, or so many seconds from now.
        return seconds > 1_000_000_000 ? bounded(seconds - now) : bounded(seconds)
    }

    /// The same for an answer that announces that it is the last one for now; nil when it does not.
    static func afterLast(_ response: HTTPClientResponse, at unixMilliseconds: Int64) -> Int64? {
        guard response.headers["x-ratelimit-remaining"] == "0" else { return nil }
        return milliseconds(response, at: unixMilliseconds) ?? NetworkRules.defaultRefusalMilliseconds
    }

    private static func bounded(_ seconds: Int64) -> Int64 { min(max(0, seconds), longest / 1_000) * 1_000 }
}
