import Backups
import Terminal

/// What a person reads of backups, from the note in a data folder or from a gateway.
struct BackupWords: Sendable {
    private static let day: Int64 = 86_400

    let status: BackupStatus
    let nowSeconds: Int64

    var diagnosis: Diagnosis {
        let last = status.made.map { "the last one was made \(age($0)), at \(status.place)" } ?? "none was made yet"
        let proof = status.proven.map(age) ?? "never"
        switch status.finding(now: nowSeconds) {
        case .none: return Self.none
        case .failed:
            return .wrong(
                "backup", "\(last); the last try failed: \(status.failure ?? "")",
                "mend that; waymark backup --to PLACE")
        case .old: return .warning("backup", last, "waymark up --backup PLACE makes one each day")
        case .unproven:
            return .warning("backup", "\(last); none was proven yet", "waymark backup --to PLACE --verify-every 1")
        case .proofOld:
            return .warning(
                "backup", "\(last); the last proof was \(proof)", "waymark backup --to PLACE --verify-every 1")
        case .good: return .ok("backup", "\(last); one was proven \(proof)")
        }
    }

    static let none = Diagnosis.warning(
        "backup", "there is none that this machine knows of",
        "waymark up --backup PLACE makes one each day; waymark backup --to PLACE one now")

    /// "3 days ago"
    private func age(_ time: Int64) -> String {
        let (elapsed, isTooMuch) = nowSeconds.subtractingReportingOverflow(time)
        let seconds = isTooMuch ? 0 : max(0, elapsed)
        switch seconds {
        case ..<3_600: return "\(Quantity.count(seconds / 60, "minute")) ago"
        case ..<(2 * Self.day): return "\(Quantity.count(seconds / 3_600, "hour")) ago"
        default: return "\(Quantity.count(seconds / Self.day, "day")) ago"
        }
    }
}
