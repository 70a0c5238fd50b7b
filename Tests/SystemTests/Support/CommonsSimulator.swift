import FoundationEssentials
import HTTP
import TestSupport
import TestTools

/// A simulator of Wikimedia Commons: the same pictures around one point, whatever is asked, and the bytes of each.
struct CommonsSimulator: Sendable {
    static let latitude = 60.1699
    static let longitude = 24.9384

    /// The pictures' files, numbered from 1.
    let files: [String]

    /// The settings of a service that shall ask it.
    static func environment(_ url: String) -> [String: String] {
        [
            "WAYMARK_COMMONS_URL": "\(url)/w/api.php", "WAYMARK_COMMONS_FILES": "\(url)/files",
            "WAYMARK_COMMONS_RATE": "1000", "WAYMARK_CONTACT": "test@example.org",
        ]
    }

    @Sendable func answer(_ request: HTTPRequest) async -> HTTPResponse {
        guard let number = Self.number(of: request.path) else {
            return HTTPResponse(200, text: list(at: request.headers["host"] ?? ""))
        }
        guard files.indices.contains(number - 1), let bytes = try? WholeFile.bytes(files[number - 1]) else {
            return HTTPResponse(404, text: "")
        }
        return HTTPResponse(200, body: .bytes(bytes))
    }

    /// How often the bytes of each picture were asked for.
    func fetches(_ requests: [HTTPRequest]) -> [Int: Int] {
        requests.reduce(into: [:]) { counts, request in
            if let number = Self.number(of: request.path) { counts[number, default: 0] += 1 }
        }
    }

    private static func number(of path: String) -> Int? {
        let parts = path.split(separator: "/")
        return parts.first == "files" ? parts.last.flatMap { Int($0.prefix { $0 != "." }) } : nil
    }

    private func list(at host: String) -> String {
        let pages = files.indices.map { index in
            """
            {"pageid":\(index + 1),"ns":6,"title":"File:Picture \(index + 1).jpg",
            "coordinates":[{"lat":\(Self.latitude + Double(index) / 10_000),"lon":\(Self.longitude),"globe":"earth"}],
            "imageinfo":[{"mime":"image/jpeg","mediatype":"BITMAP","width":1200,"height":800,
            "thumburl":"http://\(host)/files/\(index + 1).jpg","url":"http://\(host)/files/\(index + 1).jpg",
            "descriptionurl":"https://commons.wikimedia.org/wiki/\(index + 1)",
            "extmetadata":{"Artist":{"value":"Ann"},"LicenseShortName":{"value":"CC BY 4.0"}}}]}
            """
        }
        return "{\"batchcomplete\":true,\"query\":{\"pages\":[\(pages.joined(separator: ","))]}}"
    }
}
