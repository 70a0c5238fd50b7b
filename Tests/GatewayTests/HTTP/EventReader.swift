import FoundationEssentials
import TestSupport
import Testing

/// Reads Server-Sent Events as a browser does.
final class EventReader {
    struct Event {
        let id: String?
        /// The data as it came.
        let text: String
        let data: Payload
    }

    struct Payload: Decodable {
        struct Message: Decodable {
            let version: String?
            let deleted: Bool?
        }

        let watch: Int
        let message: Message?
        let error: ConnectFailure?
        let end: Bool?
    }

    let head: HTTPReply
    private let socket: HTTPSocket
    private var pending: [UInt8] = []

    static func open(
        _ http: GatewayHTTP, _ target: String, _ fields: [(String, String)] = []
    ) async throws -> EventReader {
        let socket = try await http.connect()
        try await socket.send("GET", target, fields)
        let head = try await socket.head()
        try #require(head.status == 200)
        return EventReader(head, socket)
    }

    private init(_ head: HTTPReply, _ socket: HTTPSocket) {
        self.head = head
        self.socket = socket
    }

    /// The next event with data.
    func next() async throws -> Event {
        while true {
            var (id, text): (String?, String?) = (nil, nil)
            for line in try await block() {
                if line.hasPrefix("id: ") { id = String(line.dropFirst(4)) }
                if line.hasPrefix("data: ") { text = (text ?? "") + line.dropFirst(6) }
            }
            guard let text else { continue }
            return Event(id: id, text: text, data: try JSONDecoder().decode(Payload.self, from: Data(text.utf8)))
        }
    }

    /// The next comment that nothing comes with.
    func comment() async throws {
        while try await block() != [":"] {}
    }

    /// The lines up to the next empty one.
    private func block() async throws -> [String] {
        while true {
            for end in pending.indices.dropFirst() where pending[end] == 10 && pending[end - 1] == 10 {
                defer { pending.removeFirst(end + 1) }
                return String(decoding: pending[..<end], as: UTF8.self).split(separator: "\n").map(String.init)
            }
            let chunk = try await socket.chunk()
            if chunk.isEmpty { throw RawSocketError.ended }
            pending += chunk
        }
    }
}
