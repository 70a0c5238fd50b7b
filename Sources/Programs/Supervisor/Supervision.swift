package import EventLoops
import Files
import Glibc

/// Keeps services running until it is asked to stop, or a first start fails.
package struct Supervision: Sendable {
    let services: [ServiceProcess]
    /// Signals that ask to stop, if there are any.
    let signals: StopSignals?
    /// Called with each event, on the thread of `run`.
    let notify: @Sendable (SupervisorEvent) -> Void
    private let requests: Pipe

    package init(
        _ services: [ServiceProcess], signals: StopSignals? = nil, notify: @escaping @Sendable (SupervisorEvent) -> Void
    ) throws(SystemError) {
        self.services = services
        self.signals = signals
        self.notify = notify
        requests = try Pipe()
    }

    /// Asks it to stop: gracefully the first time, at once the second. From any thread.
    package func stop() {
        var byte: UInt8 = 0
        // The pipe never fills up: that would take 65,536 requests.
        _ = unsafe write(requests.writing.number, &byte, 1)
    }

    /// Starts everything and returns when nothing runs any more. Blocks.
    package func run() throws(SystemError) -> SupervisorState.Outcome {
        try SupervisorLoop(self, requests: requests.reading).run()
    }
}

/// Carries out what a `SupervisorState` decides: starts processes, waits for them, for signals and for timers. One
/// thread, one poll.
final class SupervisorLoop {
    private let supervisor: Supervision
    private let requests: Descriptor
    /// Children hold its reading end, only we the writing one: however we end, they notice.
    private let lifeline: Pipe
    private var state: SupervisorState
    private var children: [Int: Child] = [:]
    private var outcome: SupervisorState.Outcome?

    private struct Child {
        let process: ChildProcess
        var lines = LineBuffer()
        var hasOutput = true
    }

    /// The source that a watched descriptor belongs to.
    private enum Source {
        case request
        case signal
        case output(Int)
        case end(Int)
    }

    init(_ supervisor: Supervision, requests: Descriptor) throws(SystemError) {
        self.supervisor = supervisor
        self.requests = requests
        lifeline = try Pipe()
        state = SupervisorState(supervisor.services)
    }

    func run() throws(SystemError) -> SupervisorState.Outcome {
        perform(state.begin(.now))
        while true {
            if let outcome { return outcome }
            for source in try wait() { try handle(source) }
            if let time = state.nextTime, time <= .now { perform(state.timePassed(.now)) }
        }
    }

    /// The sources that are ready. A child's last lines come before its end.
    private func wait() throws(SystemError) -> [Source] {
        var watched: [(Source, Int32)] = [(.request, requests.number)]
        if let signals = supervisor.signals { watched.append((.signal, signals.descriptor.number)) }
        for (index, child) in children {
            if child.hasOutput { watched.append((.output(index), child.process.output.number)) }
            watched.append((.end(index), child.process.endDescriptor.number))
        }
        var polled = watched.map { pollfd(fd: $0.1, events: Int16(POLLIN), revents: 0) }
        let timeout = timeoutMilliseconds
        try syscall("poll") { unsafe poll(&polled, nfds_t(polled.count), timeout) }
        return zip(watched, polled).filter { $0.1.revents != 0 }.map(\.0.0)
    }

    private var timeoutMilliseconds: Int32 {
        guard let time = state.nextTime else { return -1 }
        return Int32(clamping: Int64(time.since(.now).milliseconds.rounded(.up)))
    }

    private func handle(_ source: Source) throws(SystemError) {
        switch source {
        case .request: takeRequest()
        case .signal:
            supervisor.signals?.take()
            perform(state.stopRequested(.now))
        case .output(let index): readOutput(index)
        case .end(let index): try reap(index)
        }
    }

    private func takeRequest() {
        var byte: UInt8 = 0
        let count = unsafe read(requests.number, &byte, 1)
        if count == 1 { perform(state.stopRequested(.now)) }
    }

    private func readOutput(_ index: Int) {
        guard let child = children[index] else { return }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(child.process.output.number, &bytes, bytes.count)
        guard count > 0 else {
            if count == 0 || errno != EINTR { children[index]?.hasOutput = false }
            return
        }
        for line in children[index]?.lines.append(bytes[..<count]) ?? [] {
            guard let ready = ReadyLine(line) else { continue }
            perform(state.ready(index, address: ready.address, web: ready.http, admin: ready.admin, .now))
        }
    }

    private func reap(_ index: Int) throws(SystemError) {
        guard let child = children.removeValue(forKey: index) else { return }
        perform(state.ended(index, try child.process.end(), .now))
    }

    private func perform(_ actions: [SupervisorState.Action]) {
        for action in actions {
            switch action {
            case .start(let index, let address, let web, let admin): start(index, address, web, admin)
            case .signal(let index, let number): children[index]?.process.signal(number)
            case .notify(let event): supervisor.notify(event)
            case .finish(let end): outcome = end
            }
        }
    }

    private func start(_ index: Int, _ address: String, _ web: String?, _ admin: String?) {
        let service = supervisor.services[index]
        let arguments = service.commandLine(listening: address, web, admin, state.addresses)
        do {
            let log = try service.logPath.map(Descriptor.appending)
            let process = try ChildProcess.start(
                service.program, arguments, errors: log?.number ?? STDERR_FILENO, lifeline: lifeline.reading.number)
            state.started(index, processID: process.processID)
            children[index] = Child(process: process)
        } catch {
            perform(state.ended(index, .notStarted(reason: "\(error)"), .now))
        }
    }
}
