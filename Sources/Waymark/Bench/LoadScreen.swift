import LoadTest
import Synchronization
import Terminal

/// Tells a person how far a load is: a redrawn line on a terminal, and a line for each step of a search.
final class LoadScreen: Sendable {
    private let line: Mutex<ProgressLine>
    private let sink: TextSink
    private let isSilent: Bool

    init(_ session: Session) {
        sink = session.console.messages
        isSilent = session.wantsJSON
        line = Mutex(ProgressLine(session.console.messages))
    }

    func show(_ progress: LoadProgress) {
        guard sink.isTerminal, !isSilent else { return }
        line.withLock { $0.show(progress.text) }
    }

    func show(_ probe: KneeRun.Probe) {
        guard !isSilent else { return }
        clear()
        sink.write(KneeView.line(probe).text(on: sink) + "\n")
    }

    func clear() { line.withLock { $0.clear() } }
}
