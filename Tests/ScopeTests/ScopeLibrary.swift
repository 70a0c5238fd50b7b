import HTTP

/// Plays a server of Immich with one photo of one person, who has the key.
enum ScopeLibrary {
    static let key = "a-key-of-annas-library-0123456789"
    private static let photo = "11111111-2222-4333-8444-555555555555"
    /// What begins like a picture of that kind; nothing looks further.
    private static let picture =
        Array("RIFF".utf8) + [20, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [UInt8](repeating: 7, count: 12)

    static func answer(_ request: HTTPRequest) -> HTTPResponse {
        if request.path == "/api/server/version" { return json(#"{"major":3,"minor":3,"patch":0}"#) }
        guard request.headers["x-api-key"] == key else { return json(#"{"message":"Invalid API key"}"#, 401) }
        switch request.path {
        case "/api/timeline/buckets": return json(#"[{"timeBucket":"2025-05-01","count":1}]"#)
        case "/api/timeline/bucket":
            return json(
                #"{"id":["\#(photo)"],"isImage":[true],"isTrashed":[false],"latitude":[60.1235],"longitude":[24.7655],"#
                    + #""fileCreatedAt":["2025-05-01T10:00:00.123Z"],"city":[null],"duration":[null]}"#)
        default: return HTTPResponse(200, body: .bytes(picture))
        }
    }

    private static func json(_ text: String, _ status: Int = 200) -> HTTPResponse {
        HTTPResponse(status, headers: [("Content-Type", "application/json")], body: .bytes(Array(text.utf8)))
    }
}
