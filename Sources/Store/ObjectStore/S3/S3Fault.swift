import HTTPClient
import Storage

/// An answer of the store that is not what was asked for.
struct S3Fault: Sendable {
    /// Differences of clocks that stores accept, in seconds.
    private static let clockDifference: Int64 = 15 * 60

    let status: Int
    /// S3's own word: "SlowDown", "NoSuchKey"; "" where there is none, as in all answers to HEAD.
    let code: String
    private let message: String
    /// Where the store says that the bucket is; nil when it does not.
    private let region: String?
    /// Seconds since 1970, by the store's clock.
    private let date: Int64?

    init(_ answer: HTTPClientResponse) {
        let document = S3Document(parsing: answer.body)
        let error = document?.name == "Error" ? document : nil
        status = answer.status
        code = String((error?["Code"] ?? "").prefix(60))
        message = String((error?["Message"] ?? "").prefix(200))
        region = answer.headers["x-amz-bucket-region"] ?? error?["Region"]
        date = answer.headers["date"].flatMap { HTTPDate.unixSeconds($0) }
    }

    /// Whether the same request may succeed in a moment.
    var isPassing: Bool {
        [408, 429, 500, 502, 503, 504].contains(status)
            || [
                "SlowDown", "InternalError", "RequestTimeout", "ServiceUnavailable", "OperationAborted", "BadDigest",
                "XAmzContentSHA256Mismatch",
            ].contains(code)
    }

    var isMissing: Bool { status == 404 && code != "NoSuchBucket" }

    /// One sentence that says what to do.
    /// - Parameters:
    ///   - right: what the request needed: "s3:GetObject".
    ///   - now: seconds since 1970 by this machine's clock.
    func error(_ address: S3Address, right: String, now: Int64) -> BlobError {
        let store = address.endpoint
        if isPassing { return .away("the store at \(store) answers \(text); it is asked again later") }
        return .refused(sentence(address, store, right, now))
    }

    private func sentence(_ address: S3Address, _ store: String, _ right: String, _ now: Int64) -> String {
        switch code {
        case "NoSuchBucket": "there is no bucket \(address.bucket) at \(store); make it, or correct the address"
        case "SignatureDoesNotMatch":
            "the store at \(store) refuses the signature; correct the secret of the access key"
        case "InvalidAccessKeyId": "the store at \(store) does not know the access key; correct its id"
        case "RequestTimeTooSkewed": skewed(store, now)
        case "AccessDenied" where isSkewed(now): skewed(store, now)
        case "AccessDenied", "AllAccessDisabled": denied(address, store, right)
        case "PermanentRedirect", "AuthorizationHeaderMalformed", "TemporaryRedirect", "IllegalLocationConstraint":
            "the bucket \(address.bucket) is not in the region \(address.region); put region=\(region ?? "…") into the"
                + " address"
        case "" where status == 403: isSkewed(now) ? skewed(store, now) : denied(address, store, right)
        case "" where status == 301 || status == 307:
            "the store at \(store) sends requests elsewhere; correct the endpoint or the region in the address"
        default: "the store at \(store) answers \(text); correct the address, or look into the store's log"
        }
    }

    private func denied(_ address: S3Address, _ store: String, _ right: String) -> String {
        "the access key has no right to do this in the bucket \(address.bucket) at \(store); give it \(right)"
    }

    private func isSkewed(_ now: Int64) -> Bool { date.map { abs($0 - now) > Self.clockDifference } ?? false }

    private func skewed(_ store: String, _ now: Int64) -> String {
        let difference = date.map { (now - $0) / 60 } ?? 0
        let much = difference == 0 ? "more than 15" : "\(abs(difference))"
        let way = difference == 0 ? "off" : difference > 0 ? "ahead" : "behind"
        return "this machine's clock is \(much) minutes \(way) by the clock of the store at \(store); set it right"
    }

    private var text: String {
        "\(status)" + (code.isEmpty ? "" : " \(code)") + (message.isEmpty ? "" : " (\(message))")
    }
}
