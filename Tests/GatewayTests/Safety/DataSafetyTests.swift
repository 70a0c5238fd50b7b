import Backups
import Contracts
import Daemon
import Files
import RPC
import TestTools
import Testing
import Wire

@testable import Gateway

@Suite("P62 What administrators see of backups and replication", .timeLimit(.minutes(2)))
struct DataSafetyTests {
    private static let now = WallClock.system.unixMilliseconds / 1_000

    /// What the gateway answers, with a file of its own for what `waymark backup` notes.
    private func asked(
        _ backends: FakeBackends = FakeBackends(), closed: Set<String> = [], note: BackupStatus? = nil,
        text: String? = nil
    ) async throws -> GetDataSafetyResponse {
        let folder = TemporaryFolder()
        try DiskFile.makeFolder("\(folder.path)/gateway")
        if let note { try note.write(to: folder.path) }
        if let text { try WholeFile.write(Array(text.utf8), to: "\(folder.path)/gateway/backup.json") }
        var answer = GetDataSafetyResponse()
        try await RunningGateway.with(backends, closed: closed, settings: ["--data", "\(folder.path)/gateway"]) {
            answer = try await DataSafetyServiceClient($0.client).getDataSafety(GetDataSafetyRequest())
        }
        return answer
    }

    private func status(
        made: Int64? = nil, proven: Int64? = nil, failure: String? = nil
    ) -> BackupStatus {
        var status = BackupStatus(place: "/mnt/disk")
        (status.made, status.proven, status.failure) = (made, proven, failure)
        return status
    }

    @Test("each state of the backups has its finding, with the place and the times that were noted")
    func findings() async throws {
        let day: Int64 = 86_400
        for (status, finding) in [
            (status(made: Self.now - day, proven: Self.now - 2 * day), BackupFinding.good),
            (status(made: Self.now - day), .unproven),
            (status(made: Self.now - day, proven: Self.now - 61 * day), .proofOld),
            (status(made: Self.now - 9 * day, proven: Self.now - 9 * day), .old),
            (status(made: Self.now - day, proven: Self.now, failure: "the disk is full"), .failed),
            (status(failure: "the disk is full"), .failed),
        ] {
            let backup = try #require(try await asked(note: status).backup)
            #expect(backup.finding == finding)
            #expect(backup.place == "/mnt/disk" && backup.trouble == status.failure ?? "")
            #expect(backup.madeTime?.unixMilliseconds == status.made.map { $0 * 1_000 })
            #expect(backup.provenTime?.unixMilliseconds == status.proven.map { $0 * 1_000 })
        }
    }

    @Test("there is none only where all services say so: what can't be read, or is not answered, is not none")
    func unknown() async throws {
        #expect(try await asked().backup?.finding == BackupFinding.none)
        #expect(try await asked(text: "{").backup?.finding == .unknown)
        // Not of a calendar: without it, it would read as if there was none.
        #expect(try await asked(note: status(made: .max, proven: Self.now)).backup?.finding == .unknown)
        let away = try await asked(closed: ["pins"])
        #expect(away.backup?.finding == .unknown && away.backup?.trouble == "no answer of pins")
        #expect(away.replications.map(\.service) == ["pins", "photos", "places"])
        #expect(away.replications.map { $0.state == nil } == [true, false, false])
    }

    @Test("PostgreSQL speaks for all backups only where all services say that their records are in it")
    func inServer() async throws {
        var backends = FakeBackends()
        backends.replication = { _ in ReplicationState(inPostgresql: true) }
        #expect(try await asked(backends).backup?.finding == .inPostgresql)
        let away = try await asked(backends, closed: ["photos"])
        #expect(away.backup?.finding == .unknown && away.backup?.trouble == "no answer of photos")
        backends.replication = { name in ReplicationState(inPostgresql: name == "pins") }
        #expect(try await asked(backends).backup?.finding == BackupFinding.none)
    }

    @Test("what each service replicates is passed on as it says it; one that is away costs only its own")
    func replication() async throws {
        var backends = FakeBackends()
        backends.replication = { name in
            ReplicationState(
                place: "/mnt/\(name)", before: true, behind: DurationMessage(.seconds(90)), waitingPages: 7,
                waitingPictures: 3, trouble: "the disk is full", isWhole: true)
        }
        let answer = try await asked(
            backends, closed: ["places"], note: status(made: Self.now, proven: Self.now))
        #expect(answer.backup?.finding == .good)
        let photos = try #require(answer.replications.first { $0.service == "photos" }?.state)
        #expect(photos.place == "/mnt/photos" && photos.before && photos.trouble == "the disk is full")
        #expect(photos.behind?.duration == .seconds(90) && photos.waitingPages == 7 && photos.waitingPictures == 3)
        #expect(photos.isWhole)
        #expect(answer.replications.map { $0.state == nil } == [false, false, true])
    }
}
