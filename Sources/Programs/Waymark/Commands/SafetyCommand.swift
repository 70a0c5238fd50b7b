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
        let states = answer.replications.compactMap(\.state).filter { !$0.inPostgresql }
        let (known, isOff) = (answer.replications, !states.isEmpty && states.allSatisfy(\.place.isEmpty))
        let replications = isOff ? [none] + known.filter { $0.state == nil }.map(replication) : known.map(replication)
        return [backup(answer.backup ?? BackupState(), nowSeconds)] + replications
    }

    private static let none = Diagnosis.warning(
        "replication", "what is written is stored nowhere else before the next backup", "waymark up --replicate PLACE")

    private static func backup(_ state: BackupState, _ now: Int64) -> Diagnosis {
        switch state.finding {
        case .none: return BackupWords.none
        case .inPostgresql:
            return .ok("backup", "the records are in PostgreSQL, whose own tools make backups (Operations)")
        case .failed, .old, .unproven, .proofOld, .good:
            var status = BackupStatus(place: state.place)
            status.made = state.madeTime?.seconds
            status.proven = state.provenTime?.seconds
            status.failure = state.finding == .failed ? state.trouble : nil
            return BackupWords(status: status, nowSeconds: now).diagnosis
        default:
            return .warning("backup", "nothing is known of it: \(state.trouble)", "ask again when all services run")
        }
    }

    private static func replication(_ replication: ServiceReplication) -> Diagnosis {
        let subject = "replication of \(replication.service)"
        guard let state = replication.state else {
            return .warning(subject, "its service does not answer", "look into its log")
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
        if behind < 10 { return .ok(subject, "what is written is stored at \(state.place), \(mode)") }
        let waiting =
            "\(Quantity.count(state.waitingPages, "page")), \(Quantity.count(state.waitingPictures, "picture"))"
        return .warning(subject, "\(state.place) is \(behind) s behind; waiting: \(waiting)", "wait, or look again")
    }
}
