import FoundationEssentials
import HTTP
import Synchronization
import TestTools
import WholeSystem

/// A simulator of Wikimedia Commons in a world, on the machine of the clients: a few pictures around the points where
/// pins are put, and the bytes of each. Faults change its mood; in a bad one it answers as real servers do that are
/// away, throttle, hang or answer with something else.
final class Commons: HTTPResponder, HTTPWork {
    /// How it answers.
    enum Mood: String, Sendable, CaseIterable {
        case good
        /// With 503.
        case away
        /// With 429, and when to come again.
        case throttling
        /// Much too late.
        case hanging
        /// With 200, and what is not what was asked for.
        case lying
    }

    private struct State {
        var mood = Mood.good
        var random: SeededGenerator
        /// How often the whole bytes of each picture were sent.
        var sent: [Int: Int] = [:]
    }

    static let port: UInt16 = 7_790
    static var address: String { "http://\(Machine.clients.address):\(port)" }
    /// The settings of a photo service that asks it. Items of Wikidata are none here.
    static var settings: [String] {
        [
            "WAYMARK_COMMONS_URL=\(address)/w/api.php", "WAYMARK_COMMONS_FILES=\(address)/files",
            "WAYMARK_WIKIDATA_URL=\(address)/items", "WAYMARK_COMMONS_RATE=1000",
            "WAYMARK_CONTACT=test@example.org",
        ]
    }

    private let pictures: [[UInt8]]
    private let state: Mutex<State>

    /// - Parameter pictures: the bytes of each.
    init(_ pictures: [[UInt8]], seed: UInt64) {
        self.pictures = pictures
        state = Mutex(State(random: SeededGenerator(seed: seed ^ 0xc0ff_ee00)))
    }

    func set(_ mood: Mood) { state.withLock { $0.mood = mood } }

    /// How often the whole bytes of the picture were sent that were sent most often.
    var mostSent: Int { state.withLock { $0.sent.values.max() ?? 0 } }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        let (mood, number) = state.withLock { ($0.mood, Int.random(in: 0..<1_000, using: &$0.random)) }
        switch mood {
        case .good: return answer(request)
        case .away: return HTTPResponse(503, text: "upstream connect error")
        case .throttling:
            return HTTPResponse(
                429, headers: [("Retry-After", "\(1 + number % 5)")], body: .bytes(Array("slow down".utf8)))
        case .hanging:
            try? await World.pass(.seconds(90))
            return HTTPResponse(504, text: "too late")
        case .lying: return lie(request, number)
        }
    }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        guard let number = Self.number(of: request.path) else { return HTTPResponse(200, text: list) }
        guard pictures.indices.contains(number) else { return HTTPResponse(404, text: "") }
        state.withLock { $0.sent[number, default: 0] += 1 }
        return HTTPResponse(200, headers: [("Content-Type", "image/jpeg")], body: .bytes(pictures[number]))
    }

    /// Answers that were seen of servers, or of what is between them and us.
    private func lie(_ request: HTTPRequest, _ number: Int) -> HTTPResponse {
        let page = "<!DOCTYPE html><title>Wikimedia Error</title>"
        if Self.number(of: request.path) == nil {
            let whole = list
            let lies = [
                page, "", "null", "[]", "{\"error\":{\"code\":\"internal_api_error_DBQueryError\"}}",
                String(decoding: whole.utf8.prefix(whole.utf8.count / 2), as: UTF8.self),
                "{\"batchcomplete\":true,\"query\":{\"pages\":[{\"pageid\":-1,\"missing\":true}]}}",
                whole.replacing("\"lat\":60", with: "\"lat\":960"),
            ]
            return HTTPResponse(200, text: lies[number % lies.count])
        }
        let whole = pictures[number % pictures.count]
        let lies: [[UInt8]] = [
            Array(page.utf8), [], Array(whole.prefix(whole.count / 2)), Array(whole.reversed()), [0xff, 0xd8, 0xff],
        ]
        return HTTPResponse(200, headers: [("Content-Type", "image/jpeg")], body: .bytes(lies[number % lies.count]))
    }

    private static func number(of path: String) -> Int? {
        let parts = path.split(separator: "/")
        guard parts.first == "files", let name = parts.last else { return nil }
        return Int(name.prefix { $0 != "." })
    }

    private var list: String {
        let pages = pictures.indices.map { number in
            """
            {"pageid":\(number + 1),"ns":6,"title":"File:Picture \(number).jpg",
            "coordinates":[{"lat":\(60.1672 + Double(number) / 1_000),"lon":24.9425,"globe":"earth"}],
            "imageinfo":[{"mime":"image/jpeg","mediatype":"BITMAP","width":1200,"height":800,
            "thumburl":"\(Self.address)/files/\(number).jpg","url":"\(Self.address)/files/\(number).jpg",
            "descriptionurl":"https://commons.wikimedia.org/wiki/\(number)",
            "extmetadata":{"Artist":{"value":"Ann"},"LicenseShortName":{"value":"CC BY 4.0"}}}]}
            """
        }
        return "{\"batchcomplete\":true,\"query\":{\"pages\":[\(pages.joined(separator: ","))]}}"
    }
}
