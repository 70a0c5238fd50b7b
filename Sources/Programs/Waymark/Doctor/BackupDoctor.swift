import Backups
import Supervisor

/// Looks at when a data folder was backed up last, and when that was proven.
struct BackupDoctor: Sendable {
    let folder: UpFolder
    let nowSeconds: Int64

    /// Nil when there is no data yet.
    func look() -> Diagnosis? {
        guard (try? BackupRun.databases(in: folder.path)) != nil else { return nil }
        do {
            let status = try BackupStatus.read(of: folder.path)
            return status.map { BackupWords(status: $0, nowSeconds: nowSeconds).diagnosis } ?? BackupWords.none
        } catch {
            return .warning("backup", "when the last one was made can't be read: \(error)", "waymark backup --to PLACE")
        }
    }
}
