import EventLoops
import Synchronization
import Testing

@testable import Terminal
@testable import Waymark

@Suite("Progress line")
struct ProgressLineTests {
    private func show(_ milliseconds: [Int64], on screen: Screen, isTerminal: Bool) {
        let time = Mutex(MonotonicTime(nanoseconds: 0))
        let sink = screen.console(isTerminal: isTerminal, width: 20).messages
        var line = ProgressLine(sink, now: { time.withLock { $0 } })
        for (index, moment) in milliseconds.enumerated() {
            time.withLock { $0 = MonotonicTime(nanoseconds: UInt64(moment) * 1_000_000) }
            line.show("\(index) of a long, long text")
        }
        line.clear()
    }

    @Test("is redrawn on a terminal, ten times a second at most, and cut to one line")
    func terminal() {
        let screen = Screen()
        show([0, 50, 110], on: screen, isTerminal: true)
        #expect(screen.messages == "\r\u{1B}[K0 of a long, long …\r\u{1B}[K2 of a long, long …\r\u{1B}[K")
    }

    @Test("is a line every three seconds elsewhere")
    func file() {
        let screen = Screen()
        show([0, 2999, 3000, 5000, 6001], on: screen, isTerminal: false)
        #expect(screen.messages == "2 of a long, long text\n4 of a long, long text\n")
    }

    @Test(
        "draws a bar for any fraction",
        arguments: [(0.0, "░░░░"), (0.5, "██░░"), (1, "████"), (7, "████"), (.nan, "░░░░")])
    func bars(fraction: Double, bar: String) { #expect(ProgressLine.bar(fraction, width: 4) == bar) }
}
