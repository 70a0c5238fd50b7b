import EventLoops

/// A unary call that was admitted.
struct UnaryCall: Sendable {
    let id: UInt32
    let context: CallContext
    let request: [UInt8]
    let handler: Router.UnaryHandler
    let limiter: MethodLimiter
}

/// A task that runs handlers of unary calls, one after the other: making one for each call would cost more than all
/// else that a short call needs.
///
/// `@unchecked Sendable`: only its connection touches it, which is an actor.
@safe
final class HandlerTask: @unchecked Sendable {
    /// What it is to run next.
    var call: UnaryCall?
    var task: Task<Void, Never>?
    private var waiter: UnsafeContinuation<Void, Never>?

    init(_ call: UnaryCall) { self.call = call }

    func wait(_ continuation: UnsafeContinuation<Void, Never>) { unsafe waiter = continuation }

    func goOn() { unsafe waiter.take()?.resume() }
}

// MARK: handlers of unary calls

extension ServerConnection {
    /// Runs the handler of a call. Gives the task that does it, to be cancelled while the call is open.
    ///
    /// The task prefers the loop, so that a handler that waits for nothing never leaves it, nor do its child tasks. One
    /// that was cancelled, with the call that it ran, takes no other.
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

    /// Lets the tasks end that wait for a call: they keep 1 to 2 KiB each.
    func endIdleHandlers() {
        for handler in idleHandlers { handler.goOn() }
        idleHandlers = []
    }

    private func run(_ handler: HandlerTask) async {
        while let call = handler.call.take() {
            do {
                // An answer that has no room would be kept for a peer that does not read.
                while let transport, !transport.hasRoom { await room(in: transport) }
                try checkTime(of: call)
                let start = try await call.limiter.enter(call.context)
                defer { call.limiter.leave(start) }
                finish(call.id, call.context, try await call.handler(call.request, call.context))
            } catch {
                fail(call.id, call.context, error)
            }
            if !isOpen || Task.isCancelled { break }
            // Nobody takes it before it waits: this is the connection, and it goes on here until it does.
            idleHandlers.append(handler)
            await unsafe withUnsafeContinuation(isolation: self) { unsafe handler.wait($0) }
        }
        handler.task = nil
    }

    private func room(in transport: FrameTransport) async {
        await Waiter<Void>.suspend { transport.wakeWhenRoom($0) }
    }

    /// Throws when nobody waits for the call any more, or when the loop is busy for too long before it comes to it.
    private func checkTime(of call: UnaryCall) throws(RPCError) {
        if Task.isCancelled { throw RPCError(.cancelled, "the caller has cancelled") }
        // Nothing took any time since it came.
        guard loop.lastLook != call.context.start else { return }
        if let deadline = call.context.deadline, deadline <= loop.lastLook { throw .tooLate }
        if loop.backlog >= Self.longBacklog { try call.limiter.checkWait(call.context, loop.lastLook) }
    }

    /// From so many tasks on, those that wait for the loop are a queue.
    private static let longBacklog = 64
}
