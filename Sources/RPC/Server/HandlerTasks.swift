import EventLoops

/// A unary call that was admitted.
struct UnaryCall: Sendable {
    let connection: ServerConnection
    let id: UInt32
    let context: CallContext
    let request: [UInt8]
    let handler: Router.UnaryHandler
    let limiter: MethodLimiter
}

/// The tasks of one loop that run the handlers of unary calls. One that is done runs the next handler: making a task
/// for each call would cost more than all else that a short call needs.
///
/// They prefer the loop, so that a handler that waits for nothing never leaves it, nor do its child tasks. A task that
/// was cancelled, with the call that it ran, takes no other.
actor HandlerTasks: LoopActor {
    /// `@unchecked Sendable`: only the actor touches it.
    private final class Member: @unchecked Sendable {
        /// What it is to run next.
        var call: UnaryCall?
        var task: Task<Void, Never>?
        var waiter: Waiter<Void>?

        init(_ call: UnaryCall) { self.call = call }
    }

    nonisolated let loop: EventLoop
    private var idle: [Member] = []
    private var isClosed = false

    /// How many wait for calls at most. Each keeps 1 to 2 KiB.
    private static let mostIdle = 128

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(loop: EventLoop) { self.loop = loop }

    /// Runs the handler of a call. Gives the task that does it, to be cancelled while the call is open.
    func start(_ call: UnaryCall) -> Task<Void, Never> {
        if let member = idle.popLast(), let task = member.task {
            member.call = call
            member.waiter.take()?.resume()
            return task
        }
        let member = Member(call)
        let task = Task(executorPreference: loop) { await self.run(member) }
        member.task = task
        return task
    }

    /// Lets the tasks that wait end, and the others when they are done.
    func close() {
        isClosed = true
        for member in idle { member.waiter.take()?.resume() }
        idle = []
    }

    private func run(_ member: Member) async {
        while let call = member.call.take() {
            await answer(call)
            if isClosed || Task.isCancelled || idle.count >= Self.mostIdle { break }
            await Waiter<Void>.suspend { waiter in
                member.waiter = waiter
                idle.append(member)
            }
        }
        member.task = nil
    }

    private func answer(_ call: UnaryCall) async {
        do {
            let start = try await call.limiter.enter(call.context)
            defer { call.limiter.leave(start) }
            let answer = try await call.handler(call.request, call.context)
            call.connection.onLoop { $0.finish(call.id, call.context, answer) }
        } catch {
            call.connection.onLoop { $0.fail(call.id, call.context, error) }
        }
    }
}
