import RPC

/// Errors in OpenAPI: each status that an answer may have, with the codes that it comes of.
enum OpenAPIErrors {
    /// What every request may be answered with, before it is looked at.
    private static let ofAll = [400, 403, 421, 429, 431, 503]
    static let ofCalls = ofAll + [401, 404, 409, 413, 415, 499, 500, 501, 504]
    static let ofGets = ofAll + [401, 404, 409, 414, 499, 500, 501, 504]
    /// Other errors of a stream come in its last message, with 200.
    static let ofStreams = ofAll + [413, 415]
    static let ofEvents = ofAll + [401, 414]
    static let ofPictures = ofAll + [404, 414, 416, 499, 500, 504]
    static let ofMaps = ofPictures + [401]
    static let ofAlbums = ofAll + [401, 404, 414, 499, 500, 504]
    static let ofLogin = ofAll + [401, 413, 415]
    static let ofLogout = ofAll

    static func references(_ statuses: [Int]) -> [String: JSONTree] {
        let named = statuses.map { ("\($0)", JSONTree.object(["$ref": .text("#/components/responses/Error\($0)")])) }
        return Dictionary(named) { first, _ in first }
    }

    static var components: [String: JSONTree] {
        var components: [String: JSONTree] = [:]
        for (status, sentence) in sentences { components["Error\(status)"] = response(status, sentence) }
        return components
    }

    private static let sentences: [Int: String] = [
        400: "The request is refused, or can't be served as things are.", 401: "A token is needed, or is not known.",
        403: "The caller lacks the role that the method needs, or the page of another site may not ask.",
        404: "There is no such thing.",
        409: "It is there already, or another change came first.", 413: "The body is too long.",
        414: "The path or the query is too long.", 415: "The Content-Type is not one of those.",
        416: "The range begins behind the end.", 421: "The gateway is not reached by that name.",
        429: "Too many requests, or too much memory for them.", 431: "The header is too long.",
        499: "The caller ended the call.", 500: "Something broke.", 501: "There is no such method or compression.",
        503: "A service can't be reached, or the gateway is stopping.", 504: "It took longer than the caller waits.",
    ]

    private static func response(_ status: Int, _ sentence: String) -> JSONTree {
        let codes = RPCCode.allCases.filter { $0 != .ok && $0.httpStatus == status }.map(\.connectName)
        let named = codes.isEmpty ? "" : " Codes: \(codes.joined(separator: ", "))."
        return .object([
            "description": .text(sentence + named),
            "headers": status == 429 || status == 503 ? retriedHeaders : headers,
            "content": .object(["application/json": .object(["schema": OpenAPI.reference("ConnectError")])]),
        ])
    }

    private static let requestID: JSONTree = .object([
        "description": .text("Names the request in every log."), "required": .flag(true),
        "schema": .object(["type": .text("string"), "pattern": .text("^[!-~]{1,64}$")]),
    ])

    /// What every answer has.
    static let headers: JSONTree = .object(["X-Request-Id": requestID])

    private static let retriedHeaders: JSONTree = .object([
        "X-Request-Id": requestID,
        "Retry-After": .object([
            "description": .text("After how many seconds to ask again, if that is known."),
            "schema": .object(["type": .text("integer"), "minimum": .number(0)]),
        ]),
    ])

    static let connectError: JSONTree = .object([
        "type": .text("object"), "required": .list([.text("code"), .text("message")]),
        "properties": .object([
            "code": .object([
                "type": .text("string"),
                "enum": .list(RPCCode.allCases.filter { $0 != .ok }.map { .text($0.connectName) }),
            ]),
            "message": .object(["type": .text("string"), "description": .text("A sentence for people.")]),
            "details": .object(["type": .text("array"), "items": detail]),
        ]),
    ])

    /// Once packed, and once as JSON.
    private static let detail: JSONTree = .object([
        "type": .text("object"), "required": .list([.text("type"), .text("value"), .text("debug")]),
        "properties": .object([
            "type": .object(["type": .text("string")]),
            "value": .object(["type": .text("string"), "contentEncoding": .text("base64")]),
            "debug": .object([
                "type": .text("object"),
                "properties": .object([
                    "requestId": .object(["type": .text("string")]),
                    "failedBranch": .object(["type": .text("string")]),
                    "retryAfterMs": .object(["type": .text("string"), "pattern": .text("^[0-9]+$")]),
                    "fieldViolations": .object(["type": .text("array"), "items": violation]),
                ]),
            ]),
        ]),
    ])

    private static let violation: JSONTree = .object([
        "type": .text("object"), "required": .list([.text("field"), .text("description")]),
        "properties": .object([
            "field": .object(["type": .text("string"), "description": .text("Its path: \"centre.latitude\".")]),
            "description": .object(["type": .text("string")]),
        ]),
    ])
}
