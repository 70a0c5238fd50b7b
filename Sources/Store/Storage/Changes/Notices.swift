internal import Bytes
package import EventLoops
internal import Synchronization

/// Wakes those who wait for a subject to change, and no others.
///
/// A transaction notes what it changes, and its commit posts that here: in this process at once, and where an engine is
/// shared by replicas, in the others too. A notice carries no value: who wakes up reads for itself.
package final class Notices: Sendable {
    private struct Entry {
        let bell = Bell()
        var watchers = 0
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var isClosed = false
        /// Sends what was noted to other replicas.
        var send: (@Sendable (Set<String>) -> Void)?
        var listeners: [@Sendable (Set<String>) -> Void] = []
    }

    private let state = Mutex(State())

    /// A part of a subject that has watchers of its own; its versions are the subject's.
    package static func part(_ name: String, of subject: String) -> String { "\(subject)\t\(name)" }

    /// The subject that has the versions of one, or of a part.
    static func whole(_ subject: String) -> String { String(subject.until("\t")) }

    /// Wakes the watchers of these subjects, here and in other replicas.
    func post(_ subjects: Set<String>) {
        if subjects.isEmpty { return }
        let (listeners, send) = state.withLock { ($0.listeners, $0.send) }
        for listener in listeners { listener(subjects) }
        deliver(subjects)
        send?(subjects)
    }

    /// Has `body` called with what a commit of this process has changed, before the one is answered that made it. It
    /// must be short.
    package func listen(_ body: @escaping @Sendable (Set<String>) -> Void) {
        state.withLock { $0.listeners.append(body) }
    }

    /// Wakes the watchers here only: another replica has changed the subjects.
    func deliver(_ subjects: some Sequence<String>) {
        let bells = state.withLock { state in subjects.compactMap { state.entries[$0]?.bell } }
        for bell in bells { bell.ring() }
    }

    /// Wakes all watchers: notices may have been missed.
    package func deliverAll() {
        for bell in state.withLock({ $0.entries.values.map(\.bell) }) { bell.ring() }
    }

    func sendWith(_ send: (@Sendable (Set<String>) -> Void)?) { state.withLock { $0.send = send } }

    /// The subjects that have watchers.
    var watched: [String] { state.withLock { Array($0.entries.keys) } }

    /// Wakes all watchers, and ends watching for good: the service is about to stop.
    package func close() {
        let bells = state.withLock { state in
            state.isClosed = true
            return state.entries.values.map(\.bell)
        }
        for bell in bells { bell.ring() }
    }

    /// Whether it was closed.
    package var isClosed: Bool { state.withLock { $0.isClosed } }

    /// How many subjects have watchers.
    package var count: Int { state.withLock { $0.entries.count } }

    /// Runs `body` with the bell of `subject`.
    package func watching<Value>(
        _ subject: String, _ body: (Bell) async throws -> Value
    ) async rethrows -> Value {
        let bell = state.withLock { state in
            state.entries[subject, default: Entry()].watchers += 1
            return state.entries[subject, default: Entry()].bell
        }
        defer { leave(subject) }
        return try await body(bell)
    }

    private func leave(_ subject: String) {
        state.withLock { state in
            state.entries[subject]?.watchers -= 1
            if state.entries[subject]?.watchers == 0 { state.entries[subject] = nil }
        }
    }
}
