import EventLoops
import Glibc

/// Writes one JSON object a line: a constant message and the values that belong to it.
///
/// Lines go through a bounded queue to a thread of its own, which formats them as JSON: neither that nor a slow
/// terminal delays a loop. When the queue is full, or one message comes too often, lines are dropped, and the next
/// line that is written says how many.
package final class Log: Sendable {
    /// How important a line is.
    package enum Level: Int, Sendable, CaseIterable {
        case debug, info, warning, error

        /// Parses "debug", "info", "warning" or "error".
        package init?(_ name: String) {
            guard let level = Self.allCases.first(where: { "\($0)" == name }) else { return nil }
            self = level
        }
    }

    /// A line before it is formatted.
    private struct Line {
        let time: Int64
        let level: Level
        let message: StaticString
        let values: [(key: String, value: String)]

        /// Its size in the queue, in bytes.
        var bytes: Int { values.reduce(200) { $0 + $1.value.utf8.count } }

        func json(_ service: String) -> String {
            var line = JSONLine()
            line.add("time", number: time)
            line.add("level", "\(level)")
            line.add("service", service)
            line.add("message", message.description)
            for (key, value) in values { line.add(key, value) }
            return line.finished
        }
    }

    private struct Queue {
        var lines: [Line] = []
        var bytes = 0
        var dropped = 0
        var isClosed = false
    }

    private static let longestQueue = 10_000
    private static let longestQueueBytes = 4 << 20
    /// Lines of one message per second: clients can cause any number of them.
    private static let linesPerMessage = 200
    private let pace = LogPace<UInt>(lines: Log.linesPerMessage)
    /// The longest value in bytes; longer ones are cut: error texts quote what clients and other servers send.
    private static let longestValue = 2 << 10
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
            while let batch = Self.next(queue) { writeAll(Self.text(batch, service), to: descriptor) }
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
        let time = clock.unixMilliseconds
        // The address of a constant string identifies it.
        let isLogged = unsafe level == .debug || pace.add(UInt(bitPattern: message.utf8Start), at: time / 1000).isLogged
        guard isLogged else { return queue.withLock { queue, _ in queue.dropped += 1 } }
        let line = Line(
            time: time, level: level, message: message,
            values: values().map { (key: $0.key, value: $0.value.cut(at: Self.longestValue)) })
        queue.withLock { queue, wake in
            guard queue.lines.count < Self.longestQueue, queue.bytes < Self.longestQueueBytes else {
                return queue.dropped += 1
            }
            queue.lines.append(line)
            queue.bytes += line.bytes
            wake.one()
        }
    }

    /// Takes all queued lines, waiting for some; nil when the log is closed and the queue empty.
    private static func next(_ queue: ConditionMutex<Queue>) -> Queue? {
        queue.wait(until: { !$0.lines.isEmpty || $0.isClosed }) { queue in
            guard !queue.lines.isEmpty else { return nil }
            defer { (queue.lines, queue.bytes, queue.dropped) = ([], 0, 0) }
            return queue
        }
    }

    private static func text(_ batch: Queue, _ service: String) -> String {
        var lines = batch.lines.map { $0.json(service) }
        if batch.dropped > 0 {
            var line = JSONLine()
            line.add("level", "warning")
            line.add("message", "log lines were dropped")
            line.add("count", number: Int64(batch.dropped))
            lines.append(line.finished)
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension String {
    /// The beginning of a text that is longer than `limit` bytes, cut at a character boundary.
    fileprivate func cut(at limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        return String(self[..<end]) + "…"
    }
}
