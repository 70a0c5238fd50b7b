import Contracts
import RPC
import TestSupport
import TestTools
import Testing
import WholeSystem

@Suite(
    "P62 The data folder of an older version", .timeLimit(.minutes(3)),
    .enabled(if: PostgresServer.isOfFiles, "only one machine has a folder"))
struct DataFolderTests {
    /// Each version that people may have: Tests/SystemTests/Versions/make made its folder, always with the same in it.
    private static let versions = ["0.2.0"]

    private let folder = RunFolder()

    @Test("opens, and has its pins, lists, stars, notes, photos and settings", arguments: versions)
    func opens(_ version: String) async throws {
        let data = try await unpacked(version)
        Files.makeFolder(folder.file("pictures"))
        let plan = try KillPlanFile(path: folder.file("plan"))
        try await RunningSystem.run(data: data, pictures: folder.file("pictures"), plan: plan) {
            system in
            let pin = try await square(system)
            try await pictures(system, of: pin)
            try await choices(system)
        }
    }

    @Test("is tried on a copy: what an upgrade changes is said, and the data stays as it is", arguments: versions)
    func tried(_ version: String) async throws {
        let data = try await unpacked(version)
        let before = try WholeFile.bytes("\(data)/pins/pins.db")
        let tried = try await ProgramRun.run("waymark", ["upgrade", "--try", "--data", data])
        #expect(
            tried.code == 0 && tried.output.contains("pins/pins.db: ")
                && tried.output.contains("0.3.0 entries of files without"), "\(tried)")
        #expect(try WholeFile.bytes("\(data)/pins/pins.db") == before)
        #expect(TemporaryFolder.names(in: "\(data)/backup").isEmpty)
    }

    @Test("of a newer version is not touched, and the sentence says so", arguments: versions)
    func newer(_ version: String) async throws {
        let data = try await unpacked(version)
        let added = try await ProgramRun.run(
            "/usr/bin/python3",
            [
                "-c", "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()",
                "\(data)/pins/pins.db", "INSERT INTO waymark_migrations VALUES (999, '9.9.9 of tomorrow', 1, 1)",
            ])
        try #require(added.code == 0, "\(added)")
        let tried = try await ProgramRun.run("waymark", ["upgrade", "--try", "--data", data])
        #expect(tried.code == 1 && tried.output.contains("newer than this program"), "\(tried)")
    }

    private func unpacked(_ version: String) async throws -> String {
        let archive = "\(RunningSystem.repository)/Tests/SystemTests/Versions/\(version).tar.gz"
        let unpacked = try await ProgramRun.run("/bin/tar", ["-xzf", archive, "-C", folder.path])
        #expect(unpacked.code == 0, "\(unpacked)")
        return folder.file(version)
    }

    private func square(_ system: RunningSystem) async throws -> String {
        let pins = try await system.allPins()
        let pin = try #require(pins.first)
        #expect(pins.count == 1 && pin.name == "Square" && pin.radiusM == 500 && pin.state == .ready)
        #expect(pin.position == Coordinate(latitude: 61.4978, longitude: 23.76) && pin.visitedDate == "2026-05-04")
        let shown = try await system.answered("GetPin") { try await system.pins.getPin(GetPinRequest(id: pin.id), $0) }
        #expect(shown.pin?.note == "Where we met")
        #expect(try await system.places(of: pin.id).contains { $0.name == "Mill" })
        let lists = ListServiceClient(system.client)
        let walks = try await system.answered("ListLists") { try await lists.listLists(ListListsRequest(), $0) }.lists
        #expect(walks.map(\.name) == ["Walks"] && walks.first?.colour == .green && walks.first?.pinCount == 1)
        return pin.id
    }

    private func pictures(_ system: RunningSystem, of pin: String) async throws {
        let photos = try await system.photos(of: "pin/\(pin)")
        let photo = try #require(photos.first)
        #expect(photos.count == 1 && photo.state == .ready && photo.favourite && photo.takenOffsetMinutes == 180)
        let (bytes, info) = try await system.picture(of: photo.id, .large)
        #expect(!bytes.isEmpty && bytes.count == info.map { Int($0.byteCount) })
    }

    private func choices(_ system: RunningSystem) async throws {
        let (stars, settings) = (StarServiceClient(system.client), SettingsServiceClient(system.client))
        let starred = try await system.answered("ListStars") { try await stars.listStars(ListStarsRequest(), $0) }
            .places
        #expect(starred.map(\.id) == ["mine/1"] && starred.map(\.name) == ["Mill"])
        let chosen = try await system.answered("GetSettings") {
            try await settings.getSettings(GetSettingsRequest(), $0)
        }
        #expect(chosen.settings?.units == .imperial)
    }
}
