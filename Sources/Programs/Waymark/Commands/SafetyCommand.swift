import Arguments
import Backups
import Contracts
import Glibc
import Terminal
import Wire

/// What would be left if the machine of a gateway were gone: `waymark backup status`.
enum SafetyCommand {
    static let status = UnaryCommand(
        CommandSyntax(
            words: ["backup", "status"],
            summary: "when the last backup was made and one proven, and how far replication is behind",
            examples: ["backup status", "backup status --target house.local:7700 --json"]),
        request: { _ in GetDataSafetyRequest() },
        call: { client, request, options in
            try await DataSafetyServiceClient(client).getDataSafety(request, options.call)
        },
        view: {
            DoctorView(diagnoses: diagnoses($0.answer, nowSeconds: Int64(time(nil))), sink: $0.sink).lines
        })

    static func diagnoses(_ answer: GetDataSafetyResponse, nowSeconds: Int64) -> [Diagnosis] {
        let known = answer.replications
        // Said once only where it is so of all.
        let off = known.filter { $0.state.map { $0.place.isEmpty && !$0.inPostgresql } ?? false }
        let replications = off.isEmpty || off.count < known.count ? known.map(replication) : [none]
        return [backup(answer.backup ?? BackupState(), nowSeconds)] + replications
    }

    private static let none = Diagnosis.warning(
        "replication", "what is written is stored nowhere else before the next backup", "waymark up --replicate PLACE")

    private static func backup(_ state: BackupState, _ now: Int64) -> Diagnosis {
        if state.finding == .inPostgresql {
            return .ok("backup", "the records are in PostgreSQL, whose own tools make backups (Operations)")
        }
        guard let finding = known(state.finding) else {
            return .warning("backup", "nothing is known of it: \(state.trouble)", "ask again when all services run")
        }
        var status = BackupStatus(place: state.place)
        status.made = state.madeTime?.seconds
        status.proven = state.provenTime?.seconds
        status.failure = state.trouble
        return BackupWords(status: status, nowSeconds: now, finding: finding).diagnosis
    }

    /// Nil for what is no state of backups in a folder.
    private static func known(_ said: BackupFinding) -> BackupStatus.Finding? {
        switch said {
        case .none: BackupStatus.Finding.none
        case .failed: .failed
        case .old: .old
        case .unproven: .unproven
        case .proofOld: .proofOld
        case .good: .good
        default: nil
        }
    }

    private static func replication(_ replication: ServiceReplication) -> Diagnosis {
        let subject = "replication of \(replication.service)"
        guard let state = replication.state else {
            return .warning(subject, "its service gave no answer", "look into its log")
        }
        if state.inPostgresql { return .ok(subject, "the records are in PostgreSQL, which has replicas of its own") }
        guard !state.place.isEmpty else {
            return .warning(subject, none.finding, none.advice)
        }
        let behind = state.behind?.seconds ?? 0
        guard state.trouble.isEmpty else {
            return .wrong(
                subject, "\(state.place) is \(behind) s behind: \(state.trouble)", "mend that; it goes on by itself")
        }
        let mode = state.before ? "before each change is acknowledged" : "within about a second"
        if behind < 10, state.isWhole {
            return .ok(subject, "what is written is stored at \(state.place), \(mode)")
        }
        return .warning(subject, waiting(state, behind), "wait, or look again")
    }

    private static func waiting(_ state: ReplicationState, _ behind: Int64) -> String {
        let pictures = Quantity.count(state.waitingPictures, "picture")
        if behind >= 10 {
            let pages = Quantity.count(state.waitingPages, "page")
            return "\(state.place) is \(behind) s behind; waiting: \(pages), \(pictures)"
        }
        // Those of before are not counted.
        return state.waitingPictures > 0
            ? "still to be stored at \(state.place): \(pictures)"
            : "what was there before is not all stored at \(state.place) yet"
    }
}
