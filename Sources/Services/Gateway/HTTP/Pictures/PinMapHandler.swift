import Bytes
import Contracts
import HTTP
import RPC
import Refusals
import Wire

/// Serves pictures of the map to an <img>: `GET /maps/<pin's id>`, with the other fields of `GetPinMapRequest` in the
/// query. It is the same call, with the same rights: the caller's cookie says who asks, and pages of other sites can't
/// ask.
struct PinMapHandler: Sendable {
    private let server: Server

    init(_ server: Server) { self.server = server }

    func respond(to request: HTTPRequest, _ pin: Substring, _ caller: Caller) async throws -> HTTPResponse {
        let asked = try Self.question(request.query, String(pin))
        let context = try caller.context(MapServiceMethods.getPinMap)
        let answer = SingleAnswer()
        try await server.answer(context, to: answer) { asked.packedBytes() }
        let picture = try GetPinMapResponse(answer: answer.bytes)
        return Self.response(
            to: request, png: picture.png, sha256: picture.sha256, attribution: picture.attribution)
    }

    /// A picture of a map, which is asked for again each time. A header says what has to be shown with it, since small
    /// ones have no room for that.
    static func response(
        to request: HTTPRequest, png: [UInt8], sha256: String, attribution: String
    ) -> HTTPResponse {
        let tag = "\"\(sha256)\""
        var headers: HTTPFields = [
            // The pin may move.
            ("ETag", tag), ("Cache-Control", "private, no-cache"), ("Accept-Ranges", "bytes"),
            ("Content-Security-Policy", "default-src 'none'; sandbox"), ("Attribution", URLText.escaped(attribution)),
        ]
        if EntityTag.isNamed(tag, by: request.headers["if-none-match"]) { return HTTPResponse(304, headers: headers) }
        headers.add("Content-Type", "image/png")
        return ByteRange.response(to: request, of: png.count, tag: tag, headers) { range in
            .bytes(range.count == png.count ? png : Array(png[range]))
        }
    }

    /// The request, of which the handler checks the ranges.
    private static func question(_ query: HTTPFields, _ pin: String) throws(Refusal) -> GetPinMapRequest {
        GetPinMapRequest(
            pinId: pin, spanDegrees: try number(query, "spanDegrees") { Double($0) },
            width: try number(query, "width") { UInt32($0) }, height: try number(query, "height") { UInt32($0) },
            scale: try number(query, "scale") { UInt32($0) }, dark: try isDark(query))
    }

    /// Whether a picture of a map is to have the colours of the night.
    static func isDark(_ query: HTTPFields) throws(Refusal) -> Bool {
        switch query["dark"] {
        case "true": return true
        case "false", nil: return false
        case let text?: throw Refusal("dark", text: text, allowed: "true and false are")
        }
    }

    private static func number<Number>(
        _ query: HTTPFields, _ name: String, _ read: (String) -> Number?
    ) throws(Refusal) -> Number? {
        guard let text = query[name] else { return nil }
        guard let number = read(text) else { throw Refusal(name, text: text, allowed: "a number is") }
        return number
    }
}
