import HTTP
import Synchronization
import TestSupport

/// A simulator of Instagram as it was until 2018: locations with what was posted there, and people with what they like.
final class InstagramSimulator: Sendable {
    /// Something that was posted.
    struct Posted: Sendable {
        var number = 1
        var type = "image"
        var caption: String? = "Evening 🌅"
        var name = "ann"
        var tags = #"["🚤"]"#
        var link = "http://instagr.am/p/X/"

        var id: String { "2200000\(number)_33" }
    }

    static let token = "operators-token-1"

    private let posted: [String: [Posted]]
    /// By the token of a person.
    private let likes: Mutex<[String: Set<String>]>
    private let fault = Mutex<HTTPResponse?>(nil)

    init(_ posted: [String: [Posted]], likes: [String: Set<String>] = [:]) {
        self.posted = posted
        self.likes = Mutex(likes)
    }

    func fail(with response: HTTPResponse?) { fault.withLock { $0 = response } }

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let parts = request.path.split(separator: "/").map(String.init)
        if parts.first == "img" {
            let bytes = TestJPEG(width: 640, height: 640).bytes { x, y in (UInt8(x & 255), 44, UInt8(y & 255)) }
            return HTTPResponse(200, body: .bytes(bytes))
        }
        if let fault = fault.withLock({ $0 }) { return fault }
        let token = request.query["access_token"] ?? ""
        let liked = likes.withLock { $0[token] }
        guard token == Self.token || liked != nil else {
            return .json(
                #"{"meta":{"error_type":"OAuthAccessTokenException","code":400,"error_message":"The access_token is invalid."}}"#,
                400)
        }
        let host = "http://\(request.headers["host"] ?? "")"
        switch parts.dropFirst().first {
        case "users": return .json(#"{"meta":{"code":200},"data":{"id":"1","username":"ann"}}"#)
        case "locations":
            let list = (posted[parts[2]] ?? []).map { Self.text($0, host, isLiked: false) }
            return .json(#"{"meta":{"code":200},"pagination":{},"data":[\#(list.joined(separator: ","))]}"#)
        default:
            guard let medium = posted.values.flatMap(\.self).first(where: { $0.id == parts.last }) else {
                return .json(
                    #"{"meta":{"error_type":"APINotFoundError","code":400,"error_message":"invalid media id"}}"#, 400)
            }
            let text = Self.text(medium, host, isLiked: liked?.contains(medium.id) ?? false)
            return .json(#"{"meta":{"code":200},"data":\#(text)}"#)
        }
    }

    private static func text(_ posted: Posted, _ host: String, isLiked: Bool) -> String {
        let caption = posted.caption.map { #"{"id":"1","created_time":"1431500000","text":"\#($0)"}"# } ?? "null"
        let image = #"{"url":"\#(host)/img/\#(posted.id).jpg","width":612,"height":612}"#
        return """
            {"id":"\(posted.id)","type":"\(posted.type)","tags":\(posted.tags),"filter":"Normal","link":"\(posted.link)",
             "created_time":"1431500000","caption":\(caption),"likes":{"count":3,"data":[]},
             "user":{"id":"33","username":"\(posted.name)"},"user_has_liked":\(isLiked),
             "images":{"thumbnail":\(image),"low_resolution":\(image),"standard_resolution":\(image)},
             "location":{"id":100001,"name":"Old Harbour","latitude":60.001,"longitude":25}}
            """
    }
}
