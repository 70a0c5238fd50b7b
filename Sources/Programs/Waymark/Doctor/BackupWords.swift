import Backups
import Terminal

/// What a person reads of backups, from the note in a data folder or from a gateway.
struct BackupWords: Sendable {
    private static let day: Int64 = 86_400

    private let status: BackupStatus
    private let nowSeconds: Int64
    private let finding: BackupStatus.Finding

    /// - Parameter finding: what a gateway says of them by its own clock; by `nowSeconds` otherwise.
    init(status: BackupStatus, nowSeconds: Int64, finding: BackupStatus.Finding? = nil) {
        (self.status, self.nowSeconds) = (status, nowSeconds)
        self.finding = finding ?? status.finding(now: nowSeconds)
    }

    var diagnosis: Diagnosis {
        let proof = status.proven.map(age) ?? "at a time that is not known"
        switch finding {
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

    private var last: String {
        if let made = status.made { return "the last one was made \(age(made)), at \(status.place)" }
        // Only a first try that failed leaves no time.
        return finding == .failed ? "none was made yet" : "when the last one was made, at \(status.place), is not known"
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
