import EventLoops

/// What the calls of a method did in a tenth of a second, or longer when calls take longer or few ended.
struct AdmissionWindow {
    /// Calls that ended per second in the last window; 0 before the first.
    private(set) var rate = 0.0
    /// How long a call took in the last window, counted from its arrival; zero before the first.
    private(set) var latency = Duration.zero
    /// Whether calls waited during all, or nearly all, of the last window.
    private(set) var wasFull = false

    /// When the last call ended.
    private(set) var lastEnd: MonotonicTime

    private var start: MonotonicTime
    private var ended = 0
    private var endedWhileFull = 0
    private var time: Duration = .zero

    private static let length: Duration = .milliseconds(100)
    private static let longest: Duration = .seconds(1)
    /// Fewer samples are too few to judge by.
    private static let fewest = 20
    private static let fullShare = 0.9

    init(start: MonotonicTime) {
        self.start = start
        lastEnd = start
    }

    /// A call ended after `latency`; `isFull`: others were waiting then.
    mutating func add(_ latency: Duration, isFull: Bool, _ now: MonotonicTime) {
        lastEnd = now
        ended += 1
        if isFull { endedWhileFull += 1 }
        time += latency
    }

    /// A change of the limit shows in the rate only after calls that began before it have ended.
    func isOver(_ now: MonotonicTime) -> Bool {
        let (length, least) = (now.since(start), max(Self.length, latency))
        return length >= max(Self.longest, latency * 2) || (length >= least && ended >= Self.fewest)
    }

    /// Evaluates this window and begins the next.
    mutating func close(_ now: MonotonicTime) {
        let seconds = Double(now.nanoseconds(since: start)) / 1e9
        rate = seconds > 0 ? Double(ended) / seconds : 0
        latency = ended > 0 ? time / ended : .zero
        wasFull = Double(endedWhileFull) >= Double(ended) * Self.fullShare && ended > 0
        start = now
        (ended, endedWhileFull, time) = (0, 0, .zero)
    }
}
