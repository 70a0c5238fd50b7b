import Contracts
import Daemon
import RPC

/// Pins that are created and read, straight at the pin service: what a durable change and a read of a store cost.
struct StoredPins: Sendable {
    private static let timeout: Duration = .seconds(30)
    /// How many pins are read in turn.
    private static let count = 1_000
    /// How many accounts call: changes of one account have an order, so they wait for each other.
    private static let accounts = 64

    private let client: PinServiceClient
    private let signer: IdentitySigner

    init(_ client: RPCClient, _ signer: IdentitySigner) {
        self.client = PinServiceClient(client)
        self.signer = signer
    }

    /// Creates a pin; all are named, so that no address is looked up.
    func create(_ turn: Int) async throws {
        guard try await pin(turn) != "" else { throw WrongAnswer("a pin without an id") }
    }

    /// Creates pins, and gives the call that reads one of them.
    func read() async throws -> Cases.Call {
        var ids: [String] = []
        for turn in 0..<Self.count { ids.append(try await pin(turn)) }
        return { [ids] turn in
            let id = ids[turn % ids.count]
            let answer = try await client.getPin(GetPinRequest(id: id), options(turn % ids.count))
            if answer.pin?.id != id { throw WrongAnswer("not the pin that was asked for") }
        }
    }

    /// Creates one on a grid in the South Pacific, 100 m around which there is nothing; gives its id.
    private func pin(_ turn: Int) async throws -> String {
        let position = Coordinate(
            latitude: -60 + Double(turn % 200) / 10, longitude: -140 + Double(turn / 200 % 200) / 10)
        let answer = try await client.createPin(
            CreatePinRequest(position: position, radiusM: 100, name: "Pin \(turn)"), options(turn))
        return answer.pin?.id ?? ""
    }

    private func options(_ turn: Int) -> CallOptions {
        var options = CallOptions(timeout: Self.timeout)
        options.signedIdentity = signer.sign(.account("bench-\(turn % Self.accounts)", .ofAccounts))
        return options
    }
}
