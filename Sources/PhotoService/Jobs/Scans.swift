import EventLoops
import Synchronization

/// How far the scan that runs is, for whoever waits for one.
final class Scans: Sendable {
    private let last = Mutex(ScanProgress(number: 0))
    /// Rung at each step.
    private let bell: Bell

    init(bell: Bell) { self.bell = bell }

    /// The number of the scan that will begin next.
    var nextNumber: Int { last.withLock { $0.number + 1 } }

    /// The scan of that number or a later one, if it has begun.
    func progress(notBefore number: Int) -> ScanProgress? {
        last.withLock { $0.number >= number ? $0 : nil }
    }

    func begin() -> ScanProgress {
        last.withLock { last in
            last = ScanProgress(number: last.number + 1)
            return last
        }
    }

    func tell(_ progress: ScanProgress) {
        last.withLock { $0 = progress }
        bell.ring()
    }
}
