import Budgets
import EventLoops

/// A unary call that was admitted.
struct UnaryCall: Sendable {
    let id: UInt32
    let context: CallContext
    let request: [UInt8]
    let handler: Router.UnaryHandler
    let limiter: MethodLimiter
}

/// A task that runs handlers of unary calls, one after the other: creating one for each call would cost more than
/// everything else that a short call needs.
///
/// `@unchecked Sendable`: only its connection touches it, which is an actor.
@safe
final class HandlerTask: @unchecked Sendable {
    /// The call to run next.
    var call: UnaryCall?
    var task: Task<Void, Never>?
    private var waiter: UnsafeContinuation<Void, Never>?

    init(_ call: UnaryCall) { self.call = call }

    func wait(_ continuation: UnsafeContinuation<Void, Never>) { unsafe waiter = continuation }

    func goOn() { unsafe waiter.take()?.resume() }
}

// MARK: handlers of unary calls

extension ServerConnection {
    /// Runs the handler of a call. Returns the task that runs it, to be cancelled while the call is open.
    ///
    /// The task prefers the loop, so that a handler that never suspends stays on it, as do its child tasks. A task that
    /// was cancelled, together with the call that it ran, takes no other call.
    func run(_ call: UnaryCall) -> Task<Void, Never> {
        if let idle = idleHandlers.popLast(), let task = idle.task {
            idle.call = call
            idle.goOn()
            return task
        }
        let handler = HandlerTask(call)
        let task = Task(executorPreference: loop) { await self.run(handler) }
        handler.task = task
        return task
    }

    /// Ends the tasks that wait for a call: their memory is the client's.
    func endIdleHandlers() {
        for handler in idleHandlers { handler.goOn() }
        idleHandlers = []
    }

    private func run(_ handler: HandlerTask) async {
        while let sharer = handler.call?.context.sharer {
            // Bound here, where the closure is the connection's own: in one that is no one's the task would give up the
            // loop before each handler.
            await Sharer.$current.withValue(sharer) { await self.runCalls(of: handler, for: sharer) }
        }
        handler.task = nil
        memory.taskEnded()
    }

    /// Runs calls until there is one of another client, or no more. Handlers work for their callers, however they were
    /// registered. Most calls of a connection are one client's, and to bind each would cost a tenth of a short call.
    private func runCalls(of handler: HandlerTask, for sharer: Sharer) async {
        while handler.call?.context.sharer == sharer {
            guard await runCall(of: handler), isOpen, !Task.isCancelled else { return }
            // The task can't be taken before it waits: this runs on the connection's actor, and does not suspend until
            // then.
            idleHandlers.append(handler)
            await unsafe withUnsafeContinuation(isolation: self) { unsafe handler.wait($0) }
        }
    }

    /// Runs the call that the task was given; false when it was given none. What is read of the call lives here only: a
    /// variable of the loop would keep the request as long as the task waits for the next.
    private func runCall(of handler: HandlerTask) async -> Bool {
        guard let call = handler.call.take() else { return false }
        do {
            // An answer without room would be kept in memory for a peer that does not read.
            while let transport, !transport.hasRoom { await room(in: transport) }
            try checkTime(of: call)
            let start = try await call.limiter.enter(call.context)
            defer { call.limiter.leave(start) }
            finish(call.id, call.context, try await answer(call))
        } catch {
            fail(call.id, call.context, error)
        }
        return true
    }

    private func answer(_ call: UnaryCall) async throws -> [UInt8] {
        guard call.context.callGuard != nil else { return try await call.handler(call.request, call.context) }
        return try await call.context.guarding { try await call.handler(call.request, $0) }
    }

    private func room(in transport: FrameTransport) async {
        await Waiter<Void>.suspend { transport.wakeWhenRoom($0) }
    }

    /// Throws when the caller has stopped waiting, or when the busy loop took too long to get to the call.
    private func checkTime(of call: UnaryCall) throws(RPCError) {
        if Task.isCancelled { throw RPCError(.cancelled, "the caller has cancelled") }
        // No time has passed since it arrived.
        guard loop.lastClockRead != call.context.start else { return }
        if let deadline = call.context.deadline, deadline <= loop.lastClockRead { throw .tooLate }
        if loop.backlog >= Self.longBacklog { try call.limiter.checkWait(call.context, loop.lastClockRead) }
    }

    /// From this many tasks on, those that wait for the loop count as a queue.
    private static let longBacklog = 64
}
