import Contracts
import Crypto
import Glibc
import TestSupport
import TestTools
import Testing
import Wire
import WholeSystem

@Suite("P25 P39 waymark album export, verify and import", .timeLimit(.minutes(5)))
struct AlbumArchiveTests {
    /// What an album shows of a photo, and has to show again when it comes back.
    private struct Shown: Equatable {
        let title: String
        let author: String
        let licence: String
        let source: String
        let taken: Int64?
        let position: Coordinate?
        let tags: [String]

        init(_ photo: Photo) {
            (title, author, licence) = (photo.title, photo.author, photo.licence)
            (source, taken, position) = (photo.sourceUrl, photo.takenTime?.unixMilliseconds, photo.position)
            tags = photo.tags
        }
    }

    private let folder = RunFolder()
    private var archive: String { folder.file("square.zip") }

    private func waymark(
        _ system: RunningSystem, _ words: String..., environment: [String: String] = [:]
    ) async throws -> ProgramRun.End {
        try await ProgramRun.run("waymark", words + ["--target", "\(system.gateway)"], environment: environment)
    }

    /// Runs `body` with a system of its own, which has the pictures of a folder.
    private func run(
        _ name: String, pictures: String, plan: KillPlanFile, _ body: (RunningSystem) async throws -> Void
    ) async throws {
        try await RunningSystem.run(data: folder.file(name), pictures: pictures, plan: plan, body)
    }

    @Test("bring an album to another system as it was, whoever is killed meanwhile, and adding nothing twice")
    func backAgain() async throws {
        let plan = try KillPlanFile(path: folder.file("plan"))
        let shelf = PictureShelf(from: RunningSystem.bundledData + "/postcards", to: folder.file("pictures"))
        var random = SeededGenerator(seed: 1)
        try shelf.add(20, &random)
        var shown: [Shown] = []
        try await run("one", pictures: shelf.path, plan: plan) { system in
            try await system.scan()
            let own = try shelf.pictureToUpload(&random)
            shown = try await fill(system, own: own)
            let exported = try await waymark(system, "album", "export", "Square", archive)
            #expect(exported.code == 0 && exported.output == "\(archive): \(shown.count) photos\n", "\(exported)")
            let again = try await waymark(system, "album", "export", "Square", folder.file("again.zip"), "--json")
            #expect(again.output.contains("\"leftOut\":[],\"photos\":\(shown.count)"), "\(again)")
            let (first, second) = (try WholeFile.bytes(archive), try WholeFile.bytes(folder.file("again.zip")))
            #expect(first == second, "the same album gives another archive")
            #expect(TemporaryFolder.names(in: folder.path).filter { $0.hasSuffix(".partial") }.isEmpty)
        }
        Files.makeFolder(folder.file("empty"))
        try await run("two", pictures: folder.file("empty"), plan: plan) { system in
            try await importKilled(system, plan)
            let pins = try await system.allPins()
            #expect(pins.map(\.name) == ["Square"] && pins.first?.radiusM == 2_000)
            let id = try #require(pins.first?.id)
            let photos = try await system.photos(of: "pin/\(id)")
            #expect(photos.map(Shown.init) == shown)
            let again = try await waymark(system, "album", "import", archive, "--json")
            #expect(again.output == "{\"added\":0,\"known\":\(shown.count),\"pin\":\"\(id)\"}\n", "\(again)")
            #expect(try await system.allPins().count == 1)
            #expect(try await system.photos(of: "pin/\(id)").map(\.id) == photos.map(\.id))
        }
    }

    /// Makes a pin with an album and an own photo, and gives what it shows.
    private func fill(_ system: RunningSystem, own: [UInt8]) async throws -> [Shown] {
        var journal = Journal()
        journal.take(
            try await system.create(
                CreatePinRequest(
                    position: Coordinate(latitude: 60.1699, longitude: 24.9384), radiusM: 2_000, name: "Square",
                    requestId: "one")))
        let id = try #require(journal.ids.first)
        try await system.settle(journal)
        _ = try await system.upload(own, pin: id, title: "Mine <3", tags: ["snow", "Töölö"])
        try await system.settle(journal)
        let photos = try await system.photos(of: "pin/\(id)")
        #expect(photos.contains { $0.title == "Mine <3" && $0.tags == ["snow", "Töölö"] })
        #expect(photos.count > 5 && photos.contains { !$0.author.isEmpty })
        return photos.map(Shown.init)
    }

    /// Imports the archive: the client is killed at its second photo, the photo service at its fourth.
    private func importKilled(_ system: RunningSystem, _ plan: KillPlanFile) async throws {
        let verified = try await ProgramRun.run("waymark", ["album", "verify", archive])
        #expect(verified.code == 0, "\(verified)")
        plan.arm(PlannedKill(Moment("waymark", .upload, .send, "UploadService/FinishUpload", most: 2), nth: 2, .before))
        let killed = try await waymark(
            system, "album", "import", archive,
            environment: ["LD_PRELOAD": ProgramRun.path("libKillShim.so"), "WAYMARK_KILL_PLAN": plan.path])
        #expect(killed.code == 128 + SIGKILL && plan.disarm(), "\(killed)")
        let stored = Moment("photo-service", .upload, .commit, "UPDATE photos SET owner", most: 2)
        plan.arm(PlannedKill(stored, nth: 2, .after))
        var tries = 0
        while true {
            let end = try await waymark(system, "album", "import", archive)
            if end.code == 0 { break }
            tries += 1
            guard tries < 50 else { throw RunFailure.late("an import: \(end)") }
        }
        #expect(plan.disarm(), "the photo service was not killed")
    }

    @Test("refuse an archive with a flipped bit, naming the file, and import nothing of it")
    func flipped() async throws {
        let plan = try KillPlanFile(path: folder.file("plan"))
        let shelf = PictureShelf(from: RunningSystem.bundledData + "/postcards", to: folder.file("pictures"))
        var random = SeededGenerator(seed: 2)
        try shelf.add(20, &random)
        try await run("one", pictures: shelf.path, plan: plan) { system in
            try await system.scan()
            _ = try await fill(system, own: try shelf.pictureToUpload(&random))
            _ = try await waymark(system, "album", "export", "Square", archive)
            var bytes = try WholeFile.bytes(archive)
            bytes[bytes.count / 2] ^= 0x10
            try WholeFile.write(bytes, to: archive)
            let verified = try await ProgramRun.run("waymark", ["album", "verify", archive])
            #expect(verified.code == 1 && verified.output.hasPrefix("pictures/0"), "\(verified)")
            let before = try await system.allPins().count
            let imported = try await waymark(system, "album", "import", archive)
            #expect(imported.code == 1 && imported.errors.hasSuffix("Nothing was imported.\n"), "\(imported)")
            #expect(try await system.allPins().count == before)
        }
    }
}
