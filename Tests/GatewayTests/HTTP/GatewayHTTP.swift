import EventLoops
import FoundationEssentials
import TestSupport
import Testing

@testable import Gateway

/// The gateway's HTTP side, as a client sees it.
struct GatewayHTTP: Sendable {
    static let json = ("Content-Type", "application/json")
    static let echo = "/waymark.rpc.v1.EchoService/Echo"
    static let echoStream = "/waymark.rpc.v1.EchoService/EchoStream"

    let door: HTTPDoor

    var port: UInt16 { door.address.port }

    func connect() async throws -> HTTPSocket { try await HTTPSocket(connectingTo: port) }

    /// One request on a connection of its own.
    func ask(
        _ method: String, _ target: String, _ fields: [(String, String)] = [], body: [UInt8] = []
    ) async throws -> HTTPReply {
        try await connect().ask(method, target, fields, body: body)
    }

    /// One call with a request in JSON.
    func call(_ path: String, _ json: String, _ fields: [(String, String)] = []) async throws -> HTTPReply {
        try await ask("POST", path, [Self.json] + fields, body: Array(json.utf8))
    }
}

/// An error's JSON.
struct ConnectFailure: Decodable, Equatable {
    struct Detail: Decodable, Equatable {
        struct Debug: Decodable, Equatable {
            struct Violation: Decodable, Equatable {
                let field: String
                let description: String
            }

            let fieldViolations: [Violation]?
            let retryAfterMs: String?
            let requestId: String?
        }

        let type: String
        let value: String
        let debug: Debug
    }

    let code: String
    let message: String
    let details: [Detail]?

    var debug: Detail.Debug? { details?.first?.debug }
}

extension HTTPReply {
    /// The error in the body.
    var failure: ConnectFailure? { try? JSONDecoder().decode(ConnectFailure.self, from: Data(body)) }
}
