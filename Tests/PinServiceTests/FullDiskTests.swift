import PinContracts
import RPC
import Storage
import TestSupport
import TestTools
import Testing

@testable import PinService

@Suite("P1 A full disk")
struct FullDiskTests {
    @Test(
        "is UNAVAILABLE with a sentence, reading goes on, and nothing that was acknowledged is lost",
        .enabled(if: PostgresServer.isOfFiles))
    func allowedSize() async throws {
        try await TemporaryFolder.with { folder in
            var settings = DatabaseSettings()
            settings.maximumBytes = 700_000
            let kept = try await RunningPinService.with(folder: folder, settings: settings) { service in
                let kept = try await fill(service)
                try await expectAll(kept, service)
                return kept
            }
            try await RunningPinService.with(folder: folder) { service in
                try await expectAll(kept, service)
                _ = try await service.pins.createPin(CreatePinRequest(1, 2), service.of("ann"))
            }
        }
    }

    @Test(
        "takes pins again once there is room, without a restart",
        .enabled(if: PostgresServer.isOfFiles && TinyDisk.isPossible))
    func realDisk() async throws {
        try await TinyDisk.with(bytes: 3_000_000) { folder in
            try TinyDisk.fill("\(folder)/ballast", bytes: 500_000)
            try await RunningPinService.with(folder: folder) { service in
                let kept = try await fill(service)
                try TinyDisk.empty("\(folder)/ballast")
                let request = CreatePinRequest(1, 2, name: "room again")
                let pin = try #require(try await service.pins.createPin(request, service.of("ann")).pin)
                try await expectAll(kept + [pin], service)
            }
        }
    }

    @Test("holds up a pin that fills only until there is room", .enabled(if: TinyDisk.isPossible))
    func filling() async throws {
        let places = DiscoveryTests.places(1_000)
        try await TinyDisk.with(bytes: 16_000_000) { folder in
            try TinyDisk.fill("\(folder)/ballast", bytes: 14_500_000)
            try await PinWorld.with(folder: folder, places, ScriptedAlbums()) { world in
                let created = try await world.create(CreatePinRequest(60, 25, radius: 2_000, name: "here"))
                // A failure that can't be written down either is over when its lease has run out.
                while places.asked.count <= 5 {
                    guard try await world.isLeft(Work.discover) else { break }
                    world.pass(milliseconds: 1_000)
                }
                #expect(try await world.pin(created.id).state != .ready)
                try TinyDisk.empty("\(folder)/ballast")
                // Long enough for any lease of a run that has ended. One that runs now gets all the time that it takes.
                world.pass(milliseconds: 600_000)
                while try await world.isLeft(Work.discover) {
                    if try await world.isWaiting(Work.discover) { world.pass(milliseconds: 1_000) }
                    await Task.yield()
                }
                let pin = try await world.untilPin(created.id) { $0.state == .ready }
                #expect(pin.placeCount == 1_000)
            }
        }
    }

    /// Creates pins until there is no room; gives those that were acknowledged.
    private func fill(_ service: RunningPinService) async throws -> [PinContracts.Pin] {
        var kept: [PinContracts.Pin] = []
        let name = String(repeating: "x", count: 200)
        for _ in 0..<20_000 {
            do {
                kept += [try await service.pins.createPin(CreatePinRequest(1, 2, name: name), service.of("ann")).pin]
                    .compactMap(\.self)
            } catch {
                let error = try #require(error as? RPCError)
                #expect(error.code == .resourceExhausted)
                #expect(error.message.contains("full"))
                return kept
            }
        }
        Issue.record("the disk never got full")
        return kept
    }

    private func expectAll(_ pins: [PinContracts.Pin], _ service: RunningPinService) async throws {
        #expect(pins.count > 20)
        for pin in pins {
            #expect(try await service.pins.getPin(GetPinRequest(id: pin.id), service.of("ann")).pin == pin)
        }
    }
}

extension PinWorld {
    /// Whether a job of a kind is still to be done.
    fileprivate func isLeft(_ kind: String) async throws -> Bool {
        try await store.database.read { transaction throws(SQLError) in try transaction.jobCount(kind) > 0 }
    }

    /// Whether a job of a kind waits for its next run.
    fileprivate func isWaiting(_ kind: String) async throws -> Bool {
        try await store.database.read { transaction throws(SQLError) in
            try transaction.first("SELECT 1 FROM jobs WHERE kind = ?1 AND lease = 0 LIMIT 1", kind) {
                row throws(SQLError) in try row.integer(0)
            } != nil
        }
    }
}
