import Glibc
import Storage
import TestSupport
import TestTools
import WholeSystem

extension RunningSystem {
    /// Lets all blobs look old, and waits until one that no picture names any more is swept.
    func sweep(_ blob: String, _ blobs: BlobFolder) async throws {
        try await makeOld(blobs)
        try await within(RunningSystem.patience, { "\(blob) is not swept" }) {
            while blobs.names.contains(blob) { try await supervision.pause(.milliseconds(50)) }
        }
    }

    /// Lets all blobs look old, and waits until the photo service has looked through them.
    func sweep(_ blobs: BlobFolder) async throws {
        let before = try sweeps
        try await makeOld(blobs)
        try await within(RunningSystem.patience, { "no sweep" }) {
            // The sweep after the next: the next one may run already.
            while try sweeps < before + 2 { try await supervision.pause(.milliseconds(50)) }
        }
    }

    /// Lets all blobs look old at a moment when no picture is being made: its bytes are stored before the row that
    /// names them, and would look old without one. The photo service stands still meanwhile.
    private func makeOld(_ blobs: BlobFolder) async throws {
        try await within(RunningSystem.patience, { "pictures are still being made" }) {
            while try await !makeOldAtRest(blobs) { try await supervision.pause(.milliseconds(50)) }
        }
    }

    private func makeOldAtRest(_ blobs: BlobFolder) async throws -> Bool {
        // One that has just been killed is not there.
        guard let pid = supervision.photoService, kill(pid, SIGSTOP) == 0 else { return false }
        defer { kill(pid, SIGCONT) }
        return try await BlockingCalls.run {
            guard Self.standsStill(pid) else { return false }
            do {
                let jobs = try StoredState.texts(
                    "\(data)/photos/photos.db",
                    ["SELECT kind FROM jobs WHERE kind IN ('copy', 'picture') AND lease <> 0"])
                guard jobs.isEmpty else { return false }
            } catch let error as SQLError where error.code == .locked {
                // It was stopped while it held the file's lock.
                return false
            }
            blobs.makeOld()
            return true
        }
    }

    /// Whether all threads of a process have stopped, which takes them a moment.
    private static func standsStill(_ pid: Int32) -> Bool {
        (0..<1_000).contains { _ in
            let threads = TemporaryFolder.names(in: "/proc/\(pid)/task")
            return !threads.isEmpty && threads.allSatisfy { hasStopped("/proc/\(pid)/task/\($0)/stat") }
        }
    }

    private static func hasStopped(_ status: String) -> Bool {
        (try? WholeFile.text(status))?.split(separator: ")").last?.hasPrefix(" T") == true
    }

    /// How many sweeps the photo service has logged.
    private var sweeps: Int {
        get throws {
            let log = try WholeFile.text("\(data)/logs/photo-service.log")
            return log.split(separator: "\n").count { $0.contains("\"sweep finished\"") }
        }
    }
}
