import CLinux
import Glibc
import Synchronization

/// One thread that waits for sockets and timers and runs Swift tasks between them.
///
/// It is a serial executor, so that an actor can be pinned to it, and a task executor, so that child tasks stay on it.
/// A turn goes: what is ready, due timers, tasks until none is runnable, then what asked for the end of the turn
/// (connections write there, once for many answers). In a long turn they write between the tasks too; on the only
/// processor, when nothing else is to be done.
///
/// `@unchecked Sendable`: what is marked as confined is used on the loop's own thread only, which every entry to it
/// checks (`preconditionInLoop`) or is proven by being called from `run`; `inbox` has its own lock, `threadID` is
/// atomic.
@safe
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    private struct Inbox {
        var jobs: [UnownedJob] = []
        var work: [@Sendable () -> Void] = []
        var isSleeping = false
        var isStopped = false

        var isEmpty: Bool { jobs.isEmpty && work.isEmpty }

        /// Whether it is to be woken up, by the caller alone.
        mutating func takeSleep() -> Bool {
            defer { isSleeping = false }
            return isSleeping
        }
    }

    private let inbox = Mutex(Inbox())
    private let threadID = Atomic<UInt>(0)
    private let wakeUp: Int32
    private let thread = Mutex<PosixThread?>(nil)
    /// What the loop has done.
    package let counters = LoopCounters()

    // Confined to the loop's thread.
    private let poller: Poller
    private var timers: TimerWheel
    private var registrations = RegistrationTable()
    private var jobs: [UnownedJob] = []
    private var runningJobs: [UnownedJob] = []
    private var turnEnd: [any TurnEndObserver] = []
    private var writers: [any TurnEndObserver] = []
    private var idleObservers: [any TurnEndObserver] = []
    /// Turns that those have waited.
    private var busyTurns = 0
    private var turnTime: MonotonicTime
    /// When somebody last looked at the clock.
    private var lookTime: MonotonicTime
    /// Whether the length of this turn is counted; one behind which the loop does not sleep ends where the next begins.
    private var isTurnCounted = false
    private var busyWait = BusyWait()
    private let readBuffer: UnsafeMutableRawBufferPointer

    /// Room for one read: larger than what a socket usually has waiting.
    private static let readBufferBytes = 256 << 10

    /// Starts the loop's thread.
    package init(name: String = "loop") throws(SystemError) {
        turnTime = .now
        lookTime = turnTime
        timers = TimerWheel(now: turnTime)
        poller = try Poller()
        unsafe readBuffer = .allocate(byteCount: Self.readBufferBytes, alignment: 64)
        wakeUp = try syscall("eventfd") { eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)) }
        try poller.add(wakeUp, .read, tag: RegistrationTable.wakeUpTag)
        let thread = PosixThread(name: name) { [self] in
            threadID.store(UInt(pthread_self()), ordering: .releasing)
            unsafe pthread_setspecific(Self.threadKey, Unmanaged.passUnretained(self).toOpaque())
            run()
        }
        self.thread.withLock { $0 = thread }
    }

    /// The loop on whose thread the caller runs; nil on all other threads.
    package static var ofThread: EventLoop? {
        // The thread keeps its loop as long as it runs.
        unsafe pthread_getspecific(threadKey).map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    private static let threadKey: pthread_key_t = {
        var key = pthread_key_t()
        let result = unsafe pthread_key_create(&key, nil)
        precondition(result == 0, "no pthread key left")
        return key
    }()

    /// Whether the caller runs on the loop's thread.
    package var isCurrent: Bool { UInt(pthread_self()) == threadID.load(ordering: .relaxed) }

    package func preconditionInLoop() { precondition(isCurrent, "used outside of its loop") }

    /// Runs `work` on the loop: at once when already there, else in its next turn.
    package func execute(_ work: @escaping @Sendable () -> Void) {
        if isCurrent { return work() }
        submit { $0.work.append(work) }
    }

    /// Lets what is runnable end, then stops the thread. Not to be called on it; nothing happens the second time.
    package func shutDown() {
        guard let thread = thread.withLock({ $0.take() }) else { return }
        submit { $0.isStopped = true }
        thread.join()
        close(wakeUp)
    }

    deinit { unsafe readBuffer.deallocate() }

    /// The time at which this turn began; good enough for deadlines, and free.
    package var now: MonotonicTime {
        preconditionInLoop()
        return turnTime
    }

    /// When a task of this turn looked at the clock last, else when the turn began: shows, for free, how long the
    /// tasks before have taken.
    package var lastLook: MonotonicTime {
        preconditionInLoop()
        return lookTime
    }

    /// Looks at the clock.
    package func look() -> MonotonicTime {
        preconditionInLoop()
        lookTime = .now
        return lookTime
    }

    /// How many tasks this round has and the next will have.
    package var backlog: Int {
        preconditionInLoop()
        return runningJobs.count + jobs.count
    }
}

// MARK: executor

extension EventLoop {
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            jobs.append(job)
        } else {
            submit { $0.jobs.append(job) }
        }
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

    package func checkIsolated() { preconditionInLoop() }

    package func isIsolatingCurrentContext() -> Bool? { isCurrent }

    private func submit(_ change: (inout Inbox) -> Void) {
        let held = HeldWakes.ofThread
        let mustWake = inbox.withLock { inbox in
            change(&inbox)
            return held == nil ? inbox.takeSleep() : inbox.isSleeping
        }
        guard mustWake else { return }
        // Until then it counts as asleep: whoever else has something for it wakes it up.
        if let held { held.add(self) } else { writeWakeUp() }
    }

    /// Wakes it up if it sleeps.
    func wake() { if inbox.withLock({ $0.takeSleep() }) { writeWakeUp() } }

    private func writeWakeUp() {
        var one: UInt64 = 1
        // Only fails when the counter is full, and then the loop is awake.
        _ = unsafe write(wakeUp, &one, MemoryLayout<UInt64>.size)
    }
}

extension EventLoop {
    /// Runs `work` on the loop in a later turn, also when already there.
    package func executeLater(_ work: @escaping @Sendable () -> Void) { submit { $0.work.append(work) } }
}

// MARK: sockets and timers, on the loop only

/// What is told about a descriptor.
package protocol IOHandler: AnyObject {
    /// The descriptor can be read, written, or is broken (then both are said). Called on the loop.
    func ready(read: Bool, write: Bool)
}

/// What wants to do something once at the end of a turn.
package protocol TurnEndObserver: AnyObject {
    func turnEnded()
    /// Called between tasks: write what is there, and nothing else. Between two steps of a task that stays on the loop
    /// nothing may happen that the task has looked for in the first, and waits for in the second.
    func write()
}

extension TurnEndObserver {
    package func write() {}
}

extension EventLoop {
    /// Watches a descriptor for reading. The handler is kept until `deregister`.
    package func register(_ descriptor: Int32, _ handler: any IOHandler, write: Bool = false) throws(SystemError)
        -> Registration
    {
        try register(descriptor, handler, write ? [.read, .write] : .read)
    }

    private func register(
        _ descriptor: Int32, _ handler: any IOHandler, _ interest: Readiness
    ) throws(SystemError) -> Registration {
        preconditionInLoop()
        let registration = registrations.insert(handler)
        do {
            try poller.add(descriptor, interest, tag: registration.tag)
        } catch {
            registrations.remove(registration)
            throw error
        }
        return registration
    }

    /// Watches a descriptor for its peer's leaving alone; that is told again and again until `deregister`.
    package func registerHangUp(_ descriptor: Int32, _ handler: any IOHandler) throws(SystemError) -> Registration {
        try register(descriptor, handler, .hangUp)
    }

    /// Changes what a descriptor is watched for.
    package func watch(_ descriptor: Int32, _ registration: Registration, read: Bool, write: Bool) throws(SystemError) {
        preconditionInLoop()
        var interest: Readiness = []
        if read { interest.insert(.read) }
        if write { interest.insert(.write) }
        try poller.change(descriptor, interest, tag: registration.tag)
    }

    /// Stops watching. To be called before the descriptor is closed; events already on their way are dropped.
    package func deregister(_ descriptor: Int32, _ registration: Registration) {
        preconditionInLoop()
        registrations.remove(registration)
        do {
            try poller.remove(descriptor)
        } catch {
            preconditionFailure("a descriptor was closed before it was deregistered: \(error)")
        }
    }

    /// Sets a timer: `owner` is notified with `tag` at the deadline or up to a millisecond later.
    package func setTimer(_ deadline: MonotonicTime, owner: any TimerOwner, tag: UInt32) -> TimerToken {
        preconditionInLoop()
        return timers.insert(deadline, owner: owner, tag: tag)
    }

    package func cancelTimer(_ token: TimerToken) {
        preconditionInLoop()
        timers.cancel(token)
    }

    /// Memory for one read, shared by all sockets of the loop: what is in it lasts until the next read.
    package var scratch: UnsafeMutableRawBufferPointer {
        preconditionInLoop()
        return unsafe readBuffer
    }

    /// Calls `observer` once at the end of this turn, after all runnable tasks.
    package func atTurnEnd(_ observer: any TurnEndObserver) {
        preconditionInLoop()
        turnEnd.append(observer)
    }

    /// Calls `observer` once at the end of a turn behind which nothing is to be done at once, or after a few turns.
    package func whenIdle(_ observer: any TurnEndObserver) {
        preconditionInLoop()
        idleObservers.append(observer)
    }

    /// Lets `observer`, which waits for the end of this turn, write when the next few tasks have run.
    package func writeSoon(_ observer: any TurnEndObserver) {
        preconditionInLoop()
        writers.append(observer)
    }
}

// MARK: the loop

extension EventLoop {
    /// How many rounds of tasks run before sockets are looked at again, so that tasks that wake each other
    /// can't starve them.
    private static let taskRoundsPerTurn = 32
    /// After so many jobs what they have sent is written, so that the peers work on it while the next ones run; else
    /// two sides of one connection would take turns, and each be idle half of the time.
    private static let jobsBetweenWrites = 16
    /// The same when fewer jobs than those are there: the loop is not busy, and its peers wait.
    private static let fewJobsBetweenWrites = 4

    /// So many turns at most go by until those are notified who wait for an idle loop.
    private static let mostBusyTurns = 4

    private func run() {
        while true {
            takeInbox()
            runTasks()
            endTurn()
            guard let timeout = timeoutBeforeSleep() else { return }
            waitForEvents(timeout)
            fireTimers()
        }
    }

    private func runTasks() {
        for _ in 0..<Self.taskRoundsPerTurn {
            if jobs.isEmpty { return }
            swap(&jobs, &runningJobs)
            let serial = unsafe asUnownedSerialExecutor()
            let task = unsafe asUnownedTaskExecutor()
            let most = runningJobs.count < Self.jobsBetweenWrites ? Self.fewJobsBetweenWrites : Self.jobsBetweenWrites
            for index in runningJobs.indices {
                unsafe runningJobs[index].runSynchronously(isolatedTo: serial, taskExecutor: task)
                if (index + 1).isMultiple(of: most) { letWrite() }
            }
            runningJobs.removeAll(keepingCapacity: true)
        }
    }

    private func letWrite() {
        for writer in writers { writer.write() }
        writers.removeAll(keepingCapacity: true)
    }

    private func endTurn() {
        tellObservers()
        guard !idleObservers.isEmpty else { return }
        busyTurns += 1
        let isIdle = jobs.isEmpty && inbox.withLock { $0.isEmpty }
        guard isIdle || busyTurns == Self.mostBusyTurns else { return }
        busyTurns = 0
        swap(&idleObservers, &turnEnd)
        tellObservers()
    }

    private func tellObservers() {
        while !turnEnd.isEmpty {
            writers.removeAll(keepingCapacity: true)
            let observers = turnEnd
            turnEnd.removeAll(keepingCapacity: true)
            for observer in observers { observer.turnEnded() }
        }
    }

    private func takeInbox() {
        var taken = Inbox()
        inbox.withLock { inbox in
            inbox.isSleeping = false
            // Most turns find nothing.
            if !inbox.jobs.isEmpty { swap(&inbox.jobs, &taken.jobs) }
            if !inbox.work.isEmpty { swap(&inbox.work, &taken.work) }
        }
        if !taken.jobs.isEmpty { jobs.append(contentsOf: taken.jobs) }
        for item in taken.work { item() }
    }

    /// How many milliseconds the poller may wait (-1: without end); nil when the loop is to end.
    private func timeoutBeforeSleep() -> Int32? {
        if !jobs.isEmpty || !turnEnd.isEmpty { return 0 }
        let (mayStop, mustHurry) = inbox.withLock { inbox in
            inbox.isSleeping = inbox.isEmpty && !inbox.isStopped
            return (inbox.isEmpty && inbox.isStopped, !inbox.isEmpty)
        }
        if mayStop { return nil }
        if mustHurry { return 0 }
        let now = MonotonicTime.now
        counters.turned(now.nanoseconds(since: turnTime))
        isTurnCounted = true
        guard let wakeUp = timers.nextWakeUp() else { return -1 }
        let nanoseconds = wakeUp.nanoseconds(since: now)
        return Int32(clamping: (nanoseconds + 999_999) / 1_000_000)
    }

    private func waitForEvents(_ timeout: Int32) {
        let count = timeout == 0 ? ready(within: 0) : sleep(timeout)
        // Before anybody is notified of anything: the last turn may have been long ago.
        let now = MonotonicTime.now
        if !isTurnCounted { counters.turned(now.nanoseconds(since: turnTime)) }
        isTurnCounted = false
        turnTime = now
        lookTime = now
        for index in 0..<count { dispatch(poller.event(index)) }
    }

    /// How many descriptors are ready, after at most so many milliseconds (-1: without end).
    private func ready(within milliseconds: Int32) -> Int {
        do {
            return try poller.wait(milliseconds: milliseconds)
        } catch {
            preconditionFailure("epoll_wait failed: \(error)")
        }
    }

    /// The same, awake at first when waits are short now.
    private func sleep(_ timeout: Int32) -> Int {
        let start = MonotonicTime.now
        let awakeUntil = start.advanced(byNanoseconds: busyWait.nanoseconds)
        var now = start
        while now < awakeUntil {
            let count = ready(within: 0)
            let last = now
            now = .now
            let mustSleep = busyWait.looked(after: now.nanoseconds(since: last))
            if count > 0 {
                busyWait.ended(after: now.nanoseconds(since: start), hasSlept: false)
                return count
            }
            if mustSleep { break }
            // Who shares this core may be what is waited for.
            sched_yield()
        }
        let count = ready(within: timeout)
        busyWait.ended(after: MonotonicTime.now.nanoseconds(since: start), hasSlept: true)
        return count
    }

    private func dispatch(_ event: (tag: UInt64, readiness: Readiness)) {
        if event.tag == RegistrationTable.wakeUpTag { return drainWakeUp() }
        guard let handler = registrations.handler(event.tag) else { return }
        let isBroken = !event.readiness.isDisjoint(with: .broken)
        handler.ready(
            read: isBroken || !event.readiness.isDisjoint(with: .read),
            write: isBroken || event.readiness.contains(.write))
    }

    private func drainWakeUp() {
        var count: UInt64 = 0
        _ = unsafe read(wakeUp, &count, MemoryLayout<UInt64>.size)
    }

    private func fireTimers() {
        while let (owner, tag) = timers.nextDue(turnTime) { owner.timerFired(tag) }
    }
}
