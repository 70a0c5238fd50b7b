import Backups
import Supervisor
import Terminal

/// Looks at when a data folder was backed up last, and when that was proven.
struct BackupDoctor: Sendable {
    /// Older ones miss more than a person wants to lose.
    private static let oldDays: Int64 = 8
    private static let unprovenDays: Int64 = 60
    private static let day: Int64 = 86_400

    let folder: UpFolder
    let nowSeconds: Int64

    /// Nil when there is no data yet.
    func look() -> Diagnosis? {
        guard (try? BackupRun.databases(in: folder.path)) != nil else { return nil }
        do {
            guard let status = try BackupStatus.read(of: folder.path), let made = status.made else {
                return .warning(
                    "backup", "there is none that this machine knows of",
                    "waymark up --backup PLACE makes one each day; waymark backup --to PLACE one now")
            }
            return diagnosis(status, made)
        } catch {
            return .warning("backup", "when the last one was made can't be read: \(error)", "waymark backup --to PLACE")
        }
    }

    private func diagnosis(_ status: BackupStatus, _ made: Int64) -> Diagnosis {
        let finding = "the last one was made \(age(made)), at \(status.place)"
        if let failure = status.failure {
            return .wrong(
                "backup", "\(finding); the last try failed: \(failure)", "mend that; waymark backup --to PLACE")
        }
        if nowSeconds - made > Self.oldDays * Self.day {
            return .warning("backup", finding, "waymark up --backup PLACE makes one each day")
        }
        guard let proven = status.proven else {
            return .warning("backup", "\(finding); none was proven yet", "waymark backup --to PLACE --verify-every 1")
        }
        guard nowSeconds - proven <= Self.unprovenDays * Self.day else {
            return .warning(
                "backup", "\(finding); the last proof was \(age(proven))",
                "waymark backup --to PLACE --verify-every 1")
        }
        return .ok("backup", "\(finding); one was proven \(age(proven))")
    }

    /// "3 days ago"
    private func age(_ time: Int64) -> String {
        let seconds = max(0, nowSeconds - time)
        switch seconds {
        case ..<3_600: return "\(Quantity.count(seconds / 60, "minute")) ago"
        case ..<(2 * Self.day): return "\(Quantity.count(seconds / 3_600, "hour")) ago"
        default: return "\(Quantity.count(seconds / Self.day, "day")) ago"
        }
    }
}
