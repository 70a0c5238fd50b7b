import EventLoops
import Files
import Glibc

/// Keeps services running until it is told to stop, or a first start fails.
struct Supervisor: Sendable {
    let services: [ServiceProcess]
    /// Ask to stop, when there are any.
    let signals: StopSignals?
    /// Is told what happens, on the thread of `run`.
    let tell: @Sendable (UpEvent) -> Void
    private let requests: Pipe

    init(
        _ services: [ServiceProcess], signals: StopSignals? = nil, tell: @escaping @Sendable (UpEvent) -> Void
    ) throws(SystemError) {
        self.services = services
        self.signals = signals
        self.tell = tell
        requests = try Pipe()
    }

    /// Asks for the end: gracefully the first time, at once the second. From any thread.
    func stop() {
        var byte: UInt8 = 0
        // The pipe is never full: nobody asks 65,536 times.
        _ = unsafe write(requests.writing.number, &byte, 1)
    }

    /// Starts everything and returns when nothing runs any more. Blocks.
    func run() throws(SystemError) -> SupervisorState.Outcome {
        try SupervisorLoop(self, requests: requests.reading).run()
    }
}
