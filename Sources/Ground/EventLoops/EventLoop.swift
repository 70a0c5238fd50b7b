import CLinux
import Glibc
import Synchronization

/// One thread that waits for sockets and timers and runs Swift tasks between them.
///
/// It is a serial executor, so that an actor can be pinned to it, and a task executor, so that child tasks stay on it.
/// A turn handles ready descriptors, then due timers, then tasks until none is runnable, then the observers of the end
/// of the turn (connections write there, once for many answers). In a long turn they also write between the tasks; on
/// a machine's only processor they write when nothing else is left to do.
///
/// `@unchecked Sendable`: what is marked as confined is used on the loop's own thread only; every entry to it checks
/// that (`preconditionInLoop`) or is only called from `run`; `inbox` has its own lock, `threadID` is atomic.
@safe
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
    private struct Inbox {
        var jobs: [UnownedJob] = []
        var work: [@Sendable () -> Void] = []
        var isSleeping = false
        var isStopped = false

        var isEmpty: Bool { jobs.isEmpty && work.isEmpty }

        /// Whether it has to be woken up, and by this caller alone.
        mutating func takeSleep() -> Bool {
            defer { isSleeping = false }
            return isSleeping
        }
    }

    private let inbox = Mutex(Inbox())
    private let threadID = Atomic<UInt>(0)
    private let wakeUp: Int32
    private let thread = Mutex<PosixThread?>(nil)
    /// Counters of the loop's work.
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
    /// Turns for which the idle observers have waited.
    private var busyTurns = 0
    private var turnTime: MonotonicTime
    /// When the clock was last read.
    private var lookTime: MonotonicTime
    /// Whether the length of this turn is counted; a turn that is not followed by sleep ends where the next begins.
    private var isTurnCounted = false
    private var busyWait = BusyWait()
    private let readBuffer: UnsafeMutableRawBufferPointer

    /// The buffer for one read: larger than what a socket normally has waiting.
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
        // The thread retains its loop as long as it runs.
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

    /// Runs `work` on the loop: at once when called on it, else in its next turn.
    package func execute(_ work: @escaping @Sendable () -> Void) {
        if isCurrent { return work() }
        submit { $0.work.append(work) }
    }

    /// Lets runnable work end, then stops the thread. Not to be called on the loop; a second call does nothing.
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

    /// When a task of this turn last read the clock, else when the turn began: shows, at no cost, how long the tasks
    /// before have taken.
    package var lastClockRead: MonotonicTime {
        preconditionInLoop()
        return lookTime
    }

    /// Reads the clock.
    package func look() -> MonotonicTime {
        preconditionInLoop()
        lookTime = .now
        return lookTime
    }

    /// How many tasks are queued for this round and the next.
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
        // Until then it counts as asleep: any other thread that gives it work wakes it up.
        if let held { held.add(self) } else { writeWakeUp() }
    }

    /// Wakes the loop if it sleeps.
    func wake() { if inbox.withLock({ $0.takeSleep() }) { writeWakeUp() } }

    private func writeWakeUp() {
        var one: UInt64 = 1
        // Fails only when the counter is full, and then the loop is awake.
        _ = unsafe write(wakeUp, &one, MemoryLayout<UInt64>.size)
    }
}

extension EventLoop {
    /// Runs `work` on the loop in a later turn, also when called on it.
    package func executeLater(_ work: @escaping @Sendable () -> Void) { submit { $0.work.append(work) } }
}

// MARK: sockets and timers, on the loop only

/// Receives the events of a descriptor.
package protocol IOHandler: AnyObject {
    /// The descriptor can be read, can be written, or is broken (then both are true). Called on the loop.
    func ready(read: Bool, write: Bool)
}

/// Called once at the end of a turn.
package protocol TurnEndObserver: AnyObject {
    func turnEnded()
    /// Called between tasks: write what is there, and do nothing else. Nothing else may happen between two steps of a
    /// task that stays on the loop: it has checked a condition in the first, and waits for its change in the second.
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

    /// Watches a descriptor only for the peer's hanging up; this is reported again and again until `deregister`.
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

    /// Stops watching. To be called before the descriptor is closed; events already collected are dropped.
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

    /// The buffer for one read, shared by all sockets of the loop: its content lasts until the next read.
    package var scratch: UnsafeMutableRawBufferPointer {
        preconditionInLoop()
        return unsafe readBuffer
    }

    /// Calls `observer` once at the end of this turn, after all runnable tasks.
    package func atTurnEnd(_ observer: any TurnEndObserver) {
        preconditionInLoop()
        turnEnd.append(observer)
    }

    /// Calls `observer` once at the end of a turn that leaves no work to do at once, or after a few turns.
    package func whenIdle(_ observer: any TurnEndObserver) {
        preconditionInLoop()
        idleObservers.append(observer)
    }

    /// Lets `observer`, which waits for the end of this turn, write after the next few tasks.
    package func writeSoon(_ observer: any TurnEndObserver) {
        preconditionInLoop()
        writers.append(observer)
    }
}

// MARK: the loop

extension EventLoop {
    /// How many rounds of tasks run before sockets are polled again, so that tasks that wake each other can't starve
    /// them.
    private static let taskRoundsPerTurn = 32
    /// After this many jobs their output is written, so that the peers work on it while the next ones run; otherwise
    /// the two sides of a connection would take turns, and each be idle half of the time.
    private static let jobsBetweenWrites = 16
    /// The number of jobs when fewer than that are queued: the loop is not busy, and its peers wait.
    private static let fewJobsBetweenWrites = 4

    /// The observers that wait for an idle loop are called after this many turns at the latest.
    private static let maximumBusyTurns = 4

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
        notifyObservers()
        guard !idleObservers.isEmpty else { return }
        busyTurns += 1
        let isIdle = jobs.isEmpty && inbox.withLock { $0.isEmpty }
        guard isIdle || busyTurns == Self.maximumBusyTurns else { return }
        busyTurns = 0
        swap(&idleObservers, &turnEnd)
        notifyObservers()
    }

    private func notifyObservers() {
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
        // Before any notification: the last turn may have been long ago.
        let now = MonotonicTime.now
        if !isTurnCounted { counters.turned(now.nanoseconds(since: turnTime)) }
        isTurnCounted = false
        turnTime = now
        lookTime = now
        for index in 0..<count { dispatch(poller.event(index)) }
    }

    /// How many descriptors are ready, waiting at most so many milliseconds (-1: without limit).
    private func ready(within milliseconds: Int32) -> Int {
        do {
            return try poller.wait(milliseconds: milliseconds)
        } catch {
            preconditionFailure("epoll_wait failed: \(error)")
        }
    }

    /// Sleeps, but polls first while waits are short.
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
            // A process that shares this core may be the one that is waited for.
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
