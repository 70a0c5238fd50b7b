import PlaceContracts
import HTTP
import TestSupport
import Testing

@testable import PlacesService

/// What a network's server does wrong, and what it is called. Bodies have the shapes that each network documents.
struct NetworkFault: CustomTestStringConvertible {
    let kind: LiveKind
    let name: String
    let response: HTTPResponse
    let status: DiscoverStatus
    var retryAfterMs: UInt64?

    var testDescription: String { "\(kind.testDescription): \(name)" }

    init(
        _ kind: LiveKind, _ name: String, _ response: HTTPResponse, _ status: DiscoverStatus,
        retryAfterMs: UInt64? = nil
    ) {
        (self.kind, self.name, self.response, self.status) = (kind, name, response, status)
        self.retryAfterMs = retryAfterMs
    }

    static let all = openstreetmap + foursquare + foursquareV2 + instagram

    private static let openstreetmap = [
        NetworkFault(.openstreetmap, "no free slot", HTTPResponse(429, text: "rate_limited"), .quota),
        NetworkFault(.openstreetmap, "overloaded", HTTPResponse(504, text: "<html>busy</html>"), .timeout),
        NetworkFault(.openstreetmap, "down", HTTPResponse(500, text: "oops"), .unavailable),
        NetworkFault(.openstreetmap, "wrong key", HTTPResponse(401, text: ""), .auth),
        NetworkFault(.openstreetmap, "no credit", HTTPResponse(402, text: ""), .auth),
        NetworkFault(.openstreetmap, "HTML with 200", HTTPResponse(200, text: "<html>hello</html>"), .malformed),
        NetworkFault(.openstreetmap, "cut off", .json(#"{"elements":[{"type":"node""#), .malformed),
        NetworkFault(
            .openstreetmap, "unfinished", .json(FixtureCity.overpass([], remark: "runtime error: out of memory")),
            .unavailable),
    ]

    /// Until 90 s after the tests' clock begins.
    private static let spent = [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1700000090")]

    private static let foursquare = [
        NetworkFault(.foursquare, "bad parameter", .json(#"{"message":"Invalid ll."}"#, 400), .malformed),
        NetworkFault(.foursquare, "wrong key", .json(#"{"message":"Invalid request token."}"#, 401), .auth),
        NetworkFault(.foursquare, "no credit", .json(#"{"message":"No API credits remaining."}"#, 402), .auth),
        NetworkFault(.foursquare, "forbidden", .json(#"{"message":"Not allowed."}"#, 403), .auth),
        NetworkFault(
            .foursquare, "rate limit", .json(#"{"message":"Slow down."}"#, 403, fields: spent), .quota,
            retryAfterMs: 90_000),
        NetworkFault(
            .foursquare, "too many until a date",
            .json(#"{"message":"Slow down."}"#, 429, fields: [("Retry-After", "Tue, 14 Nov 2023 22:14:00 GMT")]),
            .quota, retryAfterMs: 40_000),
        NetworkFault(.foursquare, "down", HTTPResponse(500, text: "oops"), .unavailable),
        NetworkFault(.foursquare, "another shape", .json(#"{"places":[]}"#), .malformed),
    ]

    private static let foursquareV2 = [
        NetworkFault(.foursquareV2, "bad parameter", refusal(400, "param_error"), .malformed),
        NetworkFault(.foursquareV2, "wrong key", refusal(401, "invalid_auth"), .auth),
        NetworkFault(.foursquareV2, "not for this key", refusal(403, "not_authorized"), .auth),
        NetworkFault(.foursquareV2, "no quota", refusal(403, "quota_exceeded"), .quota),
        NetworkFault(
            .foursquareV2, "rate limit without a body", .json("", 403, fields: spent), .quota, retryAfterMs: 90_000),
        NetworkFault(
            .foursquareV2, "too many", refusal(429, "rate_limit_exceeded", [("Retry-After", "7")]), .quota,
            retryAfterMs: 7_000),
        NetworkFault(.foursquareV2, "down", refusal(500, "server_error"), .unavailable),
    ]

    private static let instagram = [
        NetworkFault(.instagram, "wrong token", error(400, "OAuthAccessTokenException"), .auth),
        NetworkFault(.instagram, "too many", error(429, "OAuthRateLimitException"), .quota),
        NetworkFault(.instagram, "bad parameter", error(400, "APIInvalidParametersError"), .malformed),
        NetworkFault(.instagram, "down", HTTPResponse(503, text: "oops"), .unavailable),
        NetworkFault(.instagram, "HTML with 200", HTTPResponse(200, text: "<html>hello</html>"), .malformed),
    ]

    private static func refusal(_ code: Int, _ type: String, _ fields: [(String, String)] = []) -> HTTPResponse {
        let meta = #"{"code":\#(code),"errorType":"\#(type)","errorDetail":"so it is","requestId":"1"}"#
        return .json(#"{"meta":\#(meta),"response":{}}"#, code, fields: fields)
    }

    private static func error(_ code: Int, _ type: String) -> HTTPResponse {
        .json(#"{"meta":{"error_type":"\#(type)","code":\#(code),"error_message":"so it is"}}"#, code)
    }
}
