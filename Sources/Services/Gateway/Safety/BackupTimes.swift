import Backups
import Daemon
import EventLoops
import Synchronization

/// When the data was backed up last, and how that went: as `waymark backup` notes it in the gateway's folder, which is
/// read when someone asks, and now and then for metrics.
final class BackupTimes: Sendable {
    private static let pause = Duration.seconds(15)

    private let folder: String
    private let blocking: BlockingPool
    private let known = Mutex<BackupStatus?>(nil)

    init(folder: String, _ blocking: BlockingPool) {
        self.folder = folder
        self.blocking = blocking
    }

    /// Runs until it is cancelled.
    func run() async {
        while !Task.isCancelled {
            await look()
            _ = try? await Task.sleep(for: Self.pause)
        }
    }

    /// Reads what is noted now. What can't be read says nothing of backups: what was known stays.
    func look() async {
        if let noted = try? await read() { known.withLock { $0 = noted } }
    }

    /// What is noted now; nil where nothing is.
    func read() async throws -> BackupStatus? {
        try await blocking.run { [folder] in try BackupStatus.read(forGateway: folder) }
    }

    /// None before there is a backup.
    var families: [MetricFamily] {
        guard let status = known.withLock({ $0 }) else { return [] }
        func time(_ name: String, _ help: String, _ seconds: Int64?) -> [MetricFamily] {
            seconds.map { [MetricFamily(name, .gauge, help, .number(Double($0)))] } ?? []
        }
        return time("waymark_backup_made_timestamp_seconds", "When the last backup was made.", status.made)
            + time("waymark_backup_proven_timestamp_seconds", "When a backup was last proven.", status.proven)
            + [
                MetricFamily(
                    "waymark_backup_failing", .gauge, "1 when the last backup or proof failed.",
                    .count(status.failure == nil ? 0 : 1))
            ]
    }
}
