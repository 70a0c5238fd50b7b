internal import EventLoops
internal import Synchronization

/// Whether one network is asked now, and whom it may write to.
package final class NetworkSwitch: Sendable {
    private struct State {
        var isOn: Bool
        var contact: String
    }

    package let network: String
    private let state: Mutex<State>
    private let changed = Bell()

    package init(_ network: String, isOn: Bool, contact: String) {
        self.network = network
        state = Mutex(State(isOn: isOn, contact: contact))
    }

    package var isOn: Bool { state.withLock { $0.isOn } }

    /// Whom it may write to; empty when that is not known.
    var contact: String { state.withLock { $0.contact } }

    func turn(on isOn: Bool, contact: String) {
        let wasOn = state.withLock { state in
            defer { state = State(isOn: isOn, contact: contact) }
            return state.isOn
        }
        if wasOn != isOn { changed.ring() }
    }

    /// Runs `body`, which is cancelled when the network is switched off. Nil when it is off, or was switched off before
    /// the end.
    func whileOn<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value? {
        guard isOn else { return nil }
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await body() }
            group.addTask {
                try await self.waitUntilOff()
                return nil
            }
            return try await group.next() ?? nil
        }
    }

    private func waitUntilOff() async throws {
        while true {
            let rung = changed.count
            guard isOn else { return }
            await changed.wait(after: rung)
            try Task.checkCancellation()
        }
    }
}

/// Whom a network may write to: an e-mail address or a URL, in printable characters of ASCII.
package enum NetworkContact {
    static func isPlain(_ contact: String) -> Bool { contact.utf8.allSatisfy { (0x20..<0x7f).contains($0) } }

    /// The User-Agent of requests.
    package static func agent(_ contact: String) -> String { "Waymark (self-hosted; \(contact))" }
}
