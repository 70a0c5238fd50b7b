import Contracts
import Synchronization
import Testing
import Wire

@testable import Waymark

@Suite("P62 waymark backup status", .timeLimit(.minutes(1)))
struct SafetyCommandTests {
    private static let day: Int64 = 86_400

    private func found(_ answer: GetDataSafetyResponse) -> [Diagnosis] {
        SafetyCommand.diagnoses(answer, nowSeconds: 100 * Self.day)
    }

    private func backup(_ finding: BackupFinding, made: Int64? = nil, proven: Int64? = nil, trouble: String = "")
        -> GetDataSafetyResponse
    {
        func time(_ days: Int64?) -> TimestampMessage? { days.map { TimestampMessage(unixSeconds: $0 * Self.day) } }
        return GetDataSafetyResponse(
            backup: BackupState(
                finding: finding, place: "/mnt/disk", madeTime: time(made), provenTime: time(proven), trouble: trouble))
    }

    @Test("says of backups what doctor says, and of what is not known that it is not known")
    func backups() {
        #expect(found(backup(.good, made: 97, proven: 96)).first?.finding.contains("proven 4 days ago") == true)
        #expect(found(backup(.none)) == [BackupWords.none])
        let failed = found(backup(.failed, made: 99, trouble: "the disk is full")).first
        #expect(failed?.verdict == .wrong && failed?.finding.hasSuffix("the last try failed: the disk is full") == true)
        let first = found(backup(.failed, trouble: "the disk is full")).first
        #expect(first?.finding == "none was made yet; the last try failed: the disk is full")
        #expect(found(backup(.unknown, trouble: "no answer of pins")).first?.verdict == .warning)
        #expect(found(backup(.inPostgresql)).first?.verdict == .ok)
    }

    @Test("words what the gateway found, whatever the clock here says and also where a time is not known")
    func clocks() {
        #expect(found(backup(.good, made: 9, proven: 9)).first?.verdict == .ok)
        #expect(found(backup(.old, made: 99, proven: 99)).first?.verdict == .warning)
        #expect(found(backup(.proofOld, made: 99, proven: 99)).first?.finding.contains("the last proof was") == true)
        let timeless = found(backup(.good)).first
        #expect(timeless?.verdict == .ok && timeless?.finding.contains("/mnt/disk, is not known") == true)
    }

    @Test("says how far each service's replication is, once where there is none")
    func replications() {
        func states(_ states: ReplicationState?...) -> [Diagnosis] {
            let named = zip(["pins", "photos", "places"], states).map { ServiceReplication(service: $0, state: $1) }
            return Array(found(GetDataSafetyResponse(replications: named)).dropFirst())
        }
        let off = ReplicationState()
        #expect(states(off, off, off).map(\.subject) == ["replication"])
        // No word speaks for one that is silent, or whose records are elsewhere.
        let away = states(off, nil, ReplicationState(inPostgresql: true))
        #expect(away.map(\.subject) == ["replication of pins", "replication of photos", "replication of places"])
        #expect(away.map(\.verdict) == [.warning, .warning, .ok])
        #expect(away[1].finding == "its service gave no answer")
        let well = ReplicationState(place: "s3://b/p", behind: DurationMessage(.seconds(1)), isWhole: true)
        let late = ReplicationState(place: "s3://b/p", behind: DurationMessage(.seconds(90)), waitingPages: 7)
        let failing = ReplicationState(place: "s3://b/p", trouble: "it is full")
        let each = states(well, late, failing)
        #expect(each.map(\.verdict) == [.ok, .warning, .wrong])
        #expect(each[1].finding.contains("90 s behind; waiting: 7 pages"))
        #expect(each[2].finding.hasSuffix("it is full"))
    }

    @Test("calls nothing stored while pictures wait, also those of before, which no one has counted")
    func pictures() {
        func found(_ state: ReplicationState) -> Diagnosis? {
            self.found(GetDataSafetyResponse(replications: [ServiceReplication(service: "photos", state: state)])).last
        }
        let new = found(ReplicationState(place: "/mnt/disk", waitingPictures: 3))
        #expect(new?.verdict == .warning && new?.finding == "still to be stored at /mnt/disk: 3 pictures")
        let past = found(ReplicationState(place: "/mnt/disk"))
        #expect(past?.finding == "what was there before is not all stored at /mnt/disk yet")
    }

    @Test("asks a gateway")
    func command() async throws {
        let gateway = TestGateway()
        gateway.safety.answer.withLock { $0 = backup(.good, made: 1, proven: 1) }
        try await gateway.run { run in
            #expect(await run("backup", "status").screen.output.contains("/mnt/disk"))
            #expect(await run("backup", "status", "--json").screen.output.contains("BACKUP_FINDING_GOOD"))
        }
    }
}
