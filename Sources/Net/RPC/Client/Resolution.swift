package import EventLoops

/// Returns all current addresses of a target. May take long; it is not called on a loop.
package typealias AddressLookup = @Sendable () async throws -> [SocketAddress]

/// Keeps the addresses of a target for all loops of a client: looked up when first needed, then every few seconds, and
/// soon after connections fail.
actor Resolution: LoopActor {
    /// What the loops are sent: the addresses, at least one; or why there are none.
    typealias Answer = Result<[SocketAddress], any Error>

    private struct NoAddress: Error, CustomStringConvertible {
        var description: String { "the name has no address" }
    }

    nonisolated let loop: EventLoop
    private let lookUp: AddressLookup
    private var book: AddressBook
    private var random = QuickRandom()
    private var listeners: [@Sendable (Answer) -> Void] = []
    private var running: Task<Void, Never>?
    private var timer: TimerToken?
    private var isClosed = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(loop: EventLoop, rules: BalancingRules, lookUp: @escaping AddressLookup) {
        self.loop = loop
        self.lookUp = lookUp
        book = AddressBook(rules)
    }

    /// Sends `listener` the addresses now and whenever they change. Until there are any, it is notified of each lookup
    /// that fails.
    nonisolated func join(_ listener: @escaping @Sendable (Answer) -> Void) {
        loop.execute {
            self.onLoop { resolution in
                resolution.listeners.append(listener)
                if !resolution.book.addresses.isEmpty { return listener(.success(resolution.book.addresses)) }
                resolution.lookIfDue()
            }
        }
    }

    /// A connection failed, or there is no address: the next lookup is moved up to the earliest time allowed.
    nonisolated func hurry() {
        loop.execute {
            self.onLoop { resolution in
                resolution.book.hurry(at: resolution.loop.now)
                resolution.lookIfDue()
            }
        }
    }

    /// Cancels a running lookup, and starts no more.
    func close() async {
        isClosed = true
        if let timer { loop.cancelTimer(timer) }
        running?.cancel()
        await running?.value
        listeners = []
    }

    private func lookIfDue() {
        guard running == nil, !isClosed else { return }
        if let timer { loop.cancelTimer(timer) }
        timer = nil
        guard loop.now >= book.nextLookup else {
            timer = loop.setTimer(book.nextLookup, owner: self, tag: 0)
            return
        }
        book.lookupStarted(at: loop.now, using: &random)
        running = Task(executorPreference: loop) { await self.look() }
    }

    private func look() async {
        let answer: Answer
        do {
            answer = .success(try await lookUp())
        } catch {
            answer = .failure(error)
        }
        running = nil
        learn(answer)
        lookIfDue()
    }

    private func learn(_ answer: Answer) {
        if case .success(let found) = answer, book.found(found) { return notify(.success(book.addresses)) }
        guard book.addresses.isEmpty else { return }
        if case .failure = answer { return notify(answer) }
        notify(.failure(NoAddress()))
    }

    private func notify(_ answer: Answer) {
        for listener in listeners { listener(answer) }
    }
}

extension Resolution: TimerOwner {
    /// It is time for the next lookup.
    nonisolated func timerFired(_ tag: UInt32) {
        onLoop { resolution in
            resolution.timer = nil
            resolution.lookIfDue()
        }
    }
}
