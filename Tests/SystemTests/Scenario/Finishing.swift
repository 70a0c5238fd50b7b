import Synchronization
import WholeSystem

extension RunningSystem {
    /// Waits until nothing is left to do of what is stored in a folder: also for pins that no journal has, since the
    /// answer that acknowledged them did not arrive.
    func finish(_ data: String) async throws {
        let last = Mutex<[String]>([])
        try await within(RunningSystem.patience, { "still: \(last.withLock { $0.prefix(5) })" }) {
            while true {
                let waiting = try await StoredState(data: data).waiting()
                if waiting.isEmpty { return }
                last.withLock { $0 = waiting }
                try await supervision.pause(.milliseconds(100))
            }
        }
    }
}
