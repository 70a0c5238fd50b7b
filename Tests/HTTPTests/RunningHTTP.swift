import Budgets
import EventLoops
import Synchronization
import TLS
import TestSupport

@testable import HTTP

/// Answers with what a test writes.
struct ScriptedResponder: HTTPResponder, HTTPWork {
    var timeLimit: Duration?
    var bodyLimit: HTTPBodyLimit?
    var takesParts = false
    /// Counts how often it was asked to decide.
    var begun: Tally?
    let answer: @Sendable (HTTPRequest) async -> HTTPResponse

    func begin(_ head: HTTPRequest) -> any HTTPWork {
        begun?.add()
        return self
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse { await answer(request) }

    /// Says which request was refused, beside why.
    func refuse(_ request: HTTPRequest, _ refusal: HTTPRefusal) -> HTTPResponse {
        var response = HTTPResponse(refusal.status, text: refusal.sentence)
        response.headers.add("X-Refused", "\(request.method) \(request.path)")
        return response
    }

    /// Says how it understood the request, a line for each part.
    static let telling = ScriptedResponder { request in
        let query = request.query.all.map { "? \($0.name)=\($0.value)" }
        let headers = request.headers.all.map { "\($0.name.lowercased()): \($0.value)" }.sorted()
        let lines = ["\(request.method) \(request.path)"] + query + headers + ["\(request.body.count) bytes"]
        return HTTPResponse(200, text: lines.joined(separator: "\n"))
    }

    /// The body comes back.
    static let echoing = ScriptedResponder { HTTPResponse(200, body: .bytes($0.body)) }
}

/// A server on a free port, with loops of its own.
struct RunningHTTP: Sendable {
    let server: HTTPServer
    let port: UInt16

    static func with(
        _ responder: ScriptedResponder = .telling, loops: Int = 1,
        limits change: (inout HTTPLimits) -> Void = { _ in }, memory: Int = 1 << 30,
        tls: TLSContext? = nil, _ body: (RunningHTTP) async throws -> Void
    ) async throws {
        var limits = HTTPLimits()
        change(&limits)
        let group = try EventLoopGroup(count: loops)
        let server = HTTPServer(responder, group: group, limits: limits, memory: MemoryBudget(bytes: memory), tls: tls)
        let any = try await BlockingCalls.run { try Endpoint(host: "127.0.0.1", port: 0).resolve() }
        let address = try await server.listen(on: any[0])
        do {
            try await body(RunningHTTP(server: server, port: address.port))
        } catch {
            await server.shutDown(grace: .zero)
            group.shutDown()
            throw error
        }
        await server.shutDown(grace: .zero)
        group.shutDown()
    }

    func connect(receiveBytes: Int32? = nil) async throws -> HTTPSocket {
        try await HTTPSocket(connectingTo: port, receiveBytes: receiveBytes)
    }

    /// Bytes of bodies that the server holds now.
    var heldBytes: Int { server.memory.usage.kinds[MemoryKind.bodies.rawValue].bytes }

    /// What the server keeps for its clients now.
    var load: (connections: Int, exchanges: Int) {
        get async {
            var load = (connections: 0, exchanges: 0)
            for daemon in server.daemons {
                let share = await daemon.load
                load = (load.connections + share.connections, load.exchanges + share.exchanges)
            }
            return load
        }
    }

    /// Waits until a client is watched whose answer is being made.
    func watchesSoon() async -> Bool {
        let end = MonotonicTime.now + .seconds(10)
        while MonotonicTime.now < end {
            for daemon in server.daemons where await daemon.watchesClients { return true }
            await Task.yield()
        }
        return false
    }

    /// Waits until it keeps nothing but so many idle connections.
    func isEmptySoon(but others: Int = 0) async -> Bool {
        let end = MonotonicTime.now + .seconds(10)
        while MonotonicTime.now < end {
            let load = await load
            if load == (others, 0), heldBytes == 0 {
                return true
            }
            await Task.yield()
        }
        return false
    }
}

extension HTTPDaemon {
    fileprivate var watchesClients: Bool { exchanges.values.contains { $0.slowAnswer?.hangUp != nil } }
    fileprivate var load: (connections: Int, exchanges: Int) {
        let streams = multiplexed.values.reduce(0) { sum, connection in sum + connection.onLoop { $0.working } }
        return (connections.count + multiplexed.count + leaving.count, exchanges.count + streams)
    }
}
