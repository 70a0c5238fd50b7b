import Arguments
import Contracts
import Daemon
import EventLoops
import RPC
import Wire

/// The calls that are measured. Each is the ordinary thing: the generated stub, a deadline, the answer fully decoded;
/// "packed" alone leaves the places as they came, like the gateway, which passes them on.
enum Cases {
    typealias Call = @Sendable (Int) async throws -> Void

    /// How many searches are made at once when memory is filled.
    private static let filling = 16
    private static let timeout: Duration = .seconds(5)
    private static let echoBytes = 32

    /// The call that the arguments name. It throws when the answer is not what it must be.
    static func call(_ arguments: ParsedArguments, _ client: RPCClient) async throws -> Call {
        switch arguments.name {
        case "echo": return echo(client)
        case "nearby": return try nearby(NearbyResponse.self, arguments, client)
        case "packed": return try nearby(NearbyParts.self, arguments, client)
        case "explore": return try await explore(arguments, client)
        case "create", "read":
            let pins = StoredPins(client, try signer(arguments))
            return arguments.name == "create" ? pins.create : try await pins.read()
        case let name where PeopleCalls.names.contains(name):
            return try PeopleCalls(client, people: try arguments.required("people")).call(arguments)
        default: throw UsageError("there is no case \(arguments.name)")
        }
    }

    private static func echo(_ client: RPCClient) -> Call {
        let stub = EchoServiceClient(client)
        let payload = [UInt8](repeating: 0x77, count: echoBytes)
        return { _ in
            let answer = try await stub.echo(EchoRequest(payload: payload), CallOptions(timeout: timeout))
            if answer.payload != payload { throw WrongAnswer("the echo is not what was sent") }
        }
    }

    /// Straight to the places service, which takes calls with a signed identity only: the worker signs as the
    /// gateway would, once for many calls.
    private static func nearby<Answer: WireMessage>(
        _: Answer.Type, _ arguments: ParsedArguments, _ client: RPCClient
    ) throws -> Call {
        let signer = try signer(arguments)
        let dataset = try arguments.required("dataset")
        let requests = try BenchFile.queries(try arguments.required("queries")).map { query in
            NearbyRequest(
                centre: Coordinate(latitude: query.latitude, longitude: query.longitude), radiusM: query.radiusMetres,
                limit: query.limit, datasets: [dataset])
        }
        return { turn in
            var options = CallOptions(timeout: timeout)
            options.signedIdentity = signer.sign(.account("bench", .ofAccounts))
            let request = requests[turn % requests.count]
            let _: Answer = try await client.unary(PlacesServiceMethods.nearby, request, options)
        }
    }

    private static func signer(_ arguments: ParsedArguments) throws -> IdentitySigner {
        IdentitySigner(try DeploymentKey(file: try arguments.required("key-file")))
    }

    /// All searches are made once before they are measured: what memory has not is read from disk, and the peers have
    /// all of it in memory from the start.
    private static func explore(_ arguments: ParsedArguments, _ client: RPCClient) async throws -> Call {
        let queries = try BenchFile.queries(try arguments.required("queries"))
        let (budget, without) = (try arguments.number("budget", 800), arguments.text("without"))
        let stub = ExploreServiceClient(client)
        let requests = queries.map { query in
            ExploreRequest(
                centre: Coordinate(latitude: query.latitude, longitude: query.longitude), radiusM: query.radiusMetres,
                limit: query.limit, budget: DurationMessage(.nanoseconds(Int64(budget * 1e6))),
                branches: ["places", "pins", "photos"])
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<filling {
                group.addTask {
                    for index in stride(from: lane, to: requests.count, by: filling) {
                        var request = requests[index]
                        request.budget = DurationMessage(timeout)
                        _ = try await stub.explore(request, CallOptions(timeout: timeout))
                    }
                }
            }
            try await group.waitForAll()
        }
        return { turn in
            let answer = try await stub.explore(requests[turn % requests.count], CallOptions(timeout: timeout))
            guard answer.branches.allSatisfy({ $0.code == 0 || $0.name == without }) else {
                throw WrongAnswer("a branch failed")
            }
        }
    }
}

/// An answer that is not what it must be: the window measures something else.
struct WrongAnswer: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
