import Contracts
import RPC
import Synchronization
import WholeSystem

/// Someone who watches all pins of an account from the first version on, through whatever happens, and has to end with
/// what there is.
final class Watcher: Sendable {
    private struct State {
        var version: UInt64 = 0
        var pins: [String: Pin] = [:]
    }

    private let client: RPCClient
    private let account: Account
    private let faults: Findings
    private let state = Mutex(State())

    init(_ client: RPCClient, _ account: Account, _ faults: Findings) {
        (self.client, self.account, self.faults) = (client, account, faults)
    }

    /// Runs until the task is cancelled.
    func run() async throws {
        let pins = PinServiceClient(client)
        while !Task.isCancelled {
            do {
                let request = WatchPinsRequest(fromVersion: state.withLock { $0.version })
                for try await answer in pins.watchPins(request, CallOptions(token: account.token)) { take(answer) }
            } catch {
                guard error.isPassing else { throw error }
            }
            try await World.pass(.milliseconds(100))
        }
    }

    private func take(_ answer: WatchPinsResponse) {
        state.withLock { state in
            if answer.isWhole { state.pins = [:] }
            if answer.version < state.version, !answer.isWhole {
                faults.add("a watch from \(state.version) goes back to \(answer.version)")
            }
            state.version = answer.version
            for pin in answer.pins { state.pins[pin.id] = pin }
            for id in answer.removedIds { state.pins[id] = nil }
        }
    }

    /// What it has seen differs so from what is listed.
    func differences(from listed: [Pin]) -> [String] {
        state.withLock { state in
            let missing = listed.filter { state.pins[$0.id] == nil }.map { "the watch has not seen \($0.id)" }
            let left = state.pins.keys.filter { id in !listed.contains { $0.id == id } }.sorted()
            let old = listed.filter { state.pins[$0.id].map { $0.version } ?? $0.version != $0.version }
            return missing + left.map { "the watch did not see that \($0) was deleted" }
                + old.map { "the watch has \($0.id) as it was earlier" }
        }
    }
}
