import Backups
import Contracts
import Daemon
import EventLoops
import RPC
import Wire

/// Says what would be left if this machine were gone: what is noted of backups, and what each service replicates.
struct DataSafetyHandler: DataSafetyServiceHandler {
    /// How long a service may take to say how it is.
    private static let patience: Duration = .seconds(2)

    private let backends: Backends
    private let backups: BackupTimes
    private let signer: IdentitySigner
    private let clock: WallClock

    init(_ backends: Backends, _ backups: BackupTimes, _ signer: IdentitySigner, clock: WallClock = .system) {
        (self.backends, self.backups, self.signer, self.clock) = (backends, backups, signer, clock)
    }

    func getDataSafety(_ request: GetDataSafetyRequest, _ context: CallContext) async throws -> GetDataSafetyResponse {
        var options = CallOptions(context)
        options.deadline = .now + min(Self.patience, context.remaining ?? Self.patience)
        // Services tell it only each other.
        options.signedIdentity = signer.sign(.service("gateway", for: nil))
        async let pins = replication("pins", backends.pins, options)
        async let photos = replication("photos", backends.photos, options)
        async let places = replication("places", backends.places, options)
        let replications = await [pins, photos, places]
        return GetDataSafetyResponse(backup: await backup(replications), replications: replications)
    }

    /// Without a state when the service does not answer.
    private func replication(
        _ service: String, _ client: RPCClient, _ options: CallOptions
    ) async -> ServiceReplication {
        let answer = try? await ReplicationServiceClient(client).getReplication(GetReplicationRequest(), options)
        return ServiceReplication(service: service, state: answer?.state)
    }

    private func backup(_ replications: [ServiceReplication]) async -> BackupState {
        let status: BackupStatus?
        do {
            status = try await backups.read()
        } catch {
            return Self.unreadable
        }
        if let status { return BackupState(status, now: clock.unixMilliseconds / 1_000) ?? Self.unreadable }
        let silent = replications.filter { $0.state == nil }.map(\.service)
        // It may be the one whose records are elsewhere, or the one whose records are not.
        guard silent.isEmpty else {
            return BackupState(finding: .unknown, trouble: "no answer of \(silent.joined(separator: ", "))")
        }
        let isInServer = replications.allSatisfy { $0.state?.inPostgresql ?? false }
        return BackupState(finding: isInServer ? .inPostgresql : .none)
    }

    private static let unreadable = BackupState(
        finding: .unknown, trouble: "what is noted of the last backup can't be read")
}

extension BackupState {
    /// Nil where a time that is noted is none of a calendar: an absent one would say that there was none.
    init?(_ status: BackupStatus, now: Int64) {
        let (made, proven) = (Self.time(status.made), Self.time(status.proven))
        guard (made == nil) == (status.made == nil), (proven == nil) == (status.proven == nil) else { return nil }
        let finding: BackupFinding =
            switch status.finding(now: now) {
            case .none: .none
            case .failed: .failed
            case .old: .old
            case .unproven: .unproven
            case .proofOld: .proofOld
            case .good: .good
            }
        self.init(
            finding: finding, place: status.place, madeTime: made, provenTime: proven, trouble: status.failure ?? "")
    }

    /// Nil for what is no time of a calendar.
    private static func time(_ seconds: Int64?) -> TimestampMessage? {
        let time = seconds.map { TimestampMessage(unixSeconds: $0) }
        return time?.unixMilliseconds == nil ? nil : time
    }
}
