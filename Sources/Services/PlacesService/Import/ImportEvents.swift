import EventLoops
import Synchronization

/// Passes the events of an import to its listener. The import never waits: only the latest progress is kept, and the
/// first thousand bad rows.
final class ImportEvents: ImportObserver {
    /// Events to report.
    struct Batch: Sendable, Equatable {
        var badRows: [BadRow] = []
        var progress: ImportState?
        var isEmpty: Bool { badRows.isEmpty && progress == nil }
    }

    struct BadRow: Sendable, Equatable {
        let line: UInt64
        let reason: String
    }

    private struct State {
        var batch = Batch()
        var reportedBadRows = 0
        var isEnded = false
        var listener: Waiter<Void>?
    }

    /// More bad rows than this are counted, not reported.
    static let maximumBadRows = 1000
    private let state = Mutex(State())
    private let stopFlag = StopFlag()

    /// Asked for each element of a file.
    var isStopped: Bool { stopFlag.isSet }

    func progress(_ progress: ImportState) { change { $0.batch.progress = progress } }

    func badRow(_ line: UInt64, _ reason: String) {
        change { state in
            guard state.reportedBadRows < Self.maximumBadRows else { return }
            state.reportedBadRows += 1
            state.batch.badRows.append(BadRow(line: line, reason: reason))
        }
    }

    /// No more events will follow.
    func end() { change { $0.isEnded = true } }

    /// The listener has gone, so the import should end.
    func stop() { stopFlag.set() }

    /// The events since the last call, as soon as there are some; nil when the import has ended.
    func next() async -> Batch? {
        while true {
            let (batch, isEnded) = state.withLock { state in
                defer { state.batch = Batch() }
                return (state.batch, state.isEnded)
            }
            if !batch.isEmpty { return batch }
            if isEnded { return nil }
            await wait()
        }
    }

    private func wait() async {
        await Waiter<Void>.suspend { waiter in
            let mustWait = state.withLock { state in
                guard state.batch.isEmpty, !state.isEnded else { return false }
                state.listener = waiter
                return true
            }
            if !mustWait { waiter.resume() }
        }
    }

    private func change(_ body: (inout State) -> Void) {
        let listener = state.withLock { state in
            body(&state)
            let hasNews = !state.batch.isEmpty || state.isEnded
            return hasNews ? state.listener.take() : nil
        }
        listener?.resume()
    }
}
