import Arguments
import Backups
import Files
import Storage
import TestTools
import Testing

@testable import Supervisor
@testable import Terminal
@testable import Waymark

@Suite("P62 What a data folder says of its backups")
struct BackupJobTests {
    private let folder = TemporaryFolder()

    private func backUp(to place: String) async throws {
        var parser = ArgumentParser(BackupCommand.syntax, environment: [:])
        let arguments = try parser.parse(["--to=\(place)"])
        let job = BackupJob(
            folder: folder.file("data"), rate: nil, keep: nil, proofEvery: 0, scratch: nil, trial: DataTrial(arguments))
        _ = try await job.run(try BackupAccess(arguments, "to")) { _ in }
    }

    @Test("a try at another place that fails is said, and takes nothing from the backups that there are")
    func slip() async throws {
        try DiskFile.makeFolder(folder.file("data/pins"))
        try folder.write("", to: "data/pins/lock")
        await (try await Database.open(folder.file("data/pins/pins.db"), migrations: [])).close()
        try await backUp(to: folder.file("place"))
        try folder.write("", to: "file")
        await #expect(throws: (any Error).self) { try await backUp(to: folder.file("file/place")) }
        let status = try #require(try BackupStatus.read(of: folder.file("data")))
        #expect(status.place == folder.file("place") && status.made != nil)
        #expect(status.failure?.contains("file/place") == true)
        try await backUp(to: folder.file("place"))
        #expect(try BackupStatus.read(of: folder.file("data"))?.failure == nil)
    }
}
