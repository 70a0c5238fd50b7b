import Contracts
import RPC
import TestSupport
import TestTools
import Testing

@Suite(
    "P62 The data folder of an older version", .timeLimit(.minutes(3)),
    .enabled(if: PostgresServer.isOfFiles, "only one machine has a folder"))
struct DataFolderTests {
    /// Each version that people may have: Tests/SystemTests/Versions/make made its folder, always with the same in it.
    private static let versions = ["0.2.0"]

    private let folder = RunFolder()

    @Test("opens, and has its pins, lists, stars, notes, photos and settings", arguments: versions)
    func opens(_ version: String) async throws {
        let archive = "\(RunningSystem.repository)/Tests/SystemTests/Versions/\(version).tar.gz"
        let unpacked = try await ProgramRun.run("/bin/tar", ["-xzf", archive, "-C", folder.path])
        #expect(unpacked.code == 0, "\(unpacked)")
        Files.makeFolder(folder.file("pictures"))
        let plan = try KillPlanFile(path: folder.file("plan"))
        try await RunningSystem.run(data: folder.file(version), pictures: folder.file("pictures"), plan: plan) {
            system in
            let pin = try await square(system)
            try await pictures(system, of: pin)
            try await choices(system)
        }
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
