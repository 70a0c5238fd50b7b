import BaseContracts
import EventLoops
package import RPC
import Synchronization
package import Wire

/// Whether the process is ready for calls, and the watchers that are notified of changes.
package final class ServingHealth: HealthServiceHandler {
    private struct State {
        /// Full names of the services whose state can be asked for.
        var services: Set<String>
        var status = ServingStatus.notServing
        var version = 0
        var isStopping = false
        var waiters: [Int: Waiter<Void>] = [:]
        var nextWaiter = 0
        /// The number of open `watch` streams.
        var watchers = 0
    }

    /// Any client may watch: the number is limited, so that watches can't take all the streams that a server has.
    private static let maximumWatchers = 1_000

    private let state: Mutex<State>

    /// `services` are the full names that can be asked for, until `name` sets others.
    package init(services: Set<String> = []) { state = Mutex(State(services: services)) }

    /// The current answer.
    package var status: ServingStatus { state.withLock { $0.status } }
    /// Whether calls are answered.
    package var isServing: Bool { status == .serving }

    /// Sets the names that can be asked for.
    package func name(_ services: Set<String>) { state.withLock { $0.services = services } }

    /// Changes the state and notifies all watchers.
    package func set(_ status: ServingStatus) { change(to: status, isStopping: false) }

    /// Notifies all watchers of the stop, and ends their streams: they must not delay it.
    package func stop() { change(to: .notServing, isStopping: true) }

    private func change(to status: ServingStatus, isStopping: Bool) {
        let waiters = state.withLock { state in
            state.status = status
            state.version += 1
            state.isStopping = isStopping
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    package func check(_ request: CheckRequest, _ context: CallContext) async throws -> CheckResponse {
        try refuseUnknown(request.service)
        return CheckResponse(status: status)
    }

    package func watch(
        _ request: WatchRequest, _ responses: ResponseWriter<WatchResponse>, _ context: CallContext
    ) async throws {
        try refuseUnknown(request.service)
        try startWatching()
        defer { state.withLock { $0.watchers -= 1 } }
        while true {
            let (status, version, isStopping) = state.withLock { ($0.status, $0.version, $0.isStopping) }
            try await responses.write(WatchResponse(status: status))
            if isStopping { return }
            try await change(after: version)
        }
    }

    private func startWatching() throws(RPCError) {
        let isFull = state.withLock { state in
            if state.watchers >= Self.maximumWatchers { return true }
            state.watchers += 1
            return false
        }
        guard isFull else { return }
        throw RPCError(.resourceExhausted, "\(Self.maximumWatchers) streams watch the health here, more are not taken")
    }

    /// Returns when the process stops.
    package func waitForStop() async throws {
        while true {
            let (version, isStopping) = state.withLock { ($0.version, $0.isStopping) }
            if isStopping { return }
            try await change(after: version)
        }
    }

    private func refuseUnknown(_ service: String) throws(RPCError) {
        // This comes first: looking up a long name that is not ASCII can take minutes, if it is made for that.
        guard service.utf8.count <= MethodDescriptor.longestPath else {
            throw RPCError(.notFound, "there is no service with a name of \(service.utf8.count) bytes")
        }
        guard service.isEmpty || state.withLock({ $0.services.contains(service) }) else {
            throw RPCError(.notFound, "there is no service \(service) here")
        }
    }

    /// Returns when the state is newer than `version`; throws when the watcher has gone.
    private func change(after version: Int) async throws {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await Waiter<Void>.suspend { waiter in
                let mustWait = state.withLock { state in
                    guard state.version == version, !Task.isCancelled else { return false }
                    state.waiters[id] = waiter
                    return true
                }
                if !mustWait { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
        try Task.checkCancellation()
    }
}
