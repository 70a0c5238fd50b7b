import EventLoops
import Glibc

/// Writes one JSON object a line: a constant message and what belongs to it.
///
/// Lines go through a bounded queue to a thread of their own, so that a slow terminal never holds up a loop; when the
/// queue is full lines are dropped, and the next line that fits says how many.
package final class Log: Sendable {
    /// How important a line is.
    package enum Level: Int, Sendable, CaseIterable {
        case debug, info, warning, error

        /// Reads "debug", "info", "warning" or "error".
        package init?(_ name: String) {
            guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
            self = level
        }
    }

    private struct Queue {
        var lines: [String] = []
        var dropped = 0
        var isWriting = false
        var isClosed = false
    }

    private static let longestQueue = 10_000
    private let service: String
    private let level: Level
    private let clock: WallClock
    private let queue = ConditionMutex(Queue())
    private let thread: PosixThread

    /// `descriptor` is where lines go; standard error by default.
    package init(service: String, level: Level = .info, clock: WallClock = .system, descriptor: Int32 = STDERR_FILENO) {
        self.service = service
        self.level = level
        self.clock = clock
        let queue = queue
        thread = PosixThread(name: "log") {
            while let lines = Self.next(queue) { writeAll(lines.joined(separator: "\n") + "\n", to: descriptor) }
        }
    }

    package func debug(_ message: StaticString, _ values: @autoclosure () -> KeyValuePairs<String, String> = [:]) {
        write(.debug, message, values)
    }

    package func info(_ message: StaticString, _ values: @autoclosure () -> KeyValuePairs<String, String> = [:]) {
        write(.info, message, values)
    }

    package func warning(_ message: StaticString, _ values: @autoclosure () -> KeyValuePairs<String, String> = [:]) {
        write(.warning, message, values)
    }

    package func error(_ message: StaticString, _ values: @autoclosure () -> KeyValuePairs<String, String> = [:]) {
        write(.error, message, values)
    }

    /// Writes what is queued, then ends.
    package func close() {
        queue.withLock { queue, wake in
            queue.isClosed = true
            wake.all()
        }
        thread.join()
    }

    private func write(_ level: Level, _ message: StaticString, _ values: () -> KeyValuePairs<String, String>) {
        guard level.rawValue >= self.level.rawValue else { return }
        var line = JSONLine()
        line.add("time", number: clock.unixMilliseconds)
        line.add("level", "\(level)")
        line.add("service", service)
        line.add("message", message.description)
        for (key, value) in values() { line.add(key, value) }
        let text = line.finished
        queue.withLock { queue, wake in
            guard queue.lines.count < Self.longestQueue else { return queue.dropped += 1 }
            queue.lines.append(text)
            wake.one()
        }
    }

    private static func next(_ queue: ConditionMutex<Queue>) -> [String]? {
        queue.wait(until: { !$0.lines.isEmpty || $0.isClosed }) { queue in
            guard !queue.lines.isEmpty else { return nil }
            if queue.dropped > 0 {
                var line = JSONLine()
                line.add("level", "warning")
                line.add("message", "log lines were dropped")
                line.add("count", number: Int64(queue.dropped))
                queue.lines.append(line.finished)
                queue.dropped = 0
            }
            defer { queue.lines = [] }
            return queue.lines
        }
    }
}
