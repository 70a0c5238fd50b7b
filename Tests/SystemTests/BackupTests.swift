import Contracts
import Crypto
import Glibc
import RPC
import Synchronization
import TestSupport
import TestTools
import Testing
import WholeSystem

@Suite(
    "P62 Backups of a system that runs", .timeLimit(.minutes(5)),
    .enabled(if: PostgresServer.isOfFiles, "those of a PostgreSQL server are its own"))
struct BackupTests {
    private let folder = RunFolder()

    /// What was acknowledged so far.
    private final class Acknowledged: Sendable {
        let journal = Mutex(Journal())
    }

    /// What was acknowledged when a backup began.
    private struct Mark {
        let number: Int
        let journal: Journal
    }

    @Test("bring back all that was acknowledged before they began, nothing of it half, also after backups were killed")
    func restored() async throws {
        let shelf = PictureShelf(from: RunningSystem.bundledData + "/postcards", to: folder.file("pictures"))
        var generator = SeededGenerator(seed: 46)
        try shelf.add(20, &generator)
        let plan = try KillPlanFile(path: folder.file("plan"))
        var marks: [Mark] = []
        var lost: UInt64 = 0
        try await RunningSystem.run(data: folder.file("data"), pictures: shelf.path, plan: plan) { system in
            try await system.scan()
            marks = try await backups(of: system, &generator)
            lost = try await Self.watched(system, from: 0).version
        }
        TemporaryFolder.remove(folder.file("data"))
        for mark in marks {
            let data = folder.file("back\(mark.number)")
            let end = try await ProgramRun.run(
                "waymark", ["restore", "--from", folder.file("place"), "--number", "\(mark.number)", "--data", data])
            try #require(end.code == 0, "\(end)")
            // Jobs are on their way still; bytes are whole.
            let found = try await differences(in: data).filter { $0.contains("blob") }
            #expect(found.isEmpty, "\(found.prefix(5))")
            try await RunningSystem.run(data: data, pictures: shelf.path, plan: plan) { system in
                // Who saw what came after the backup is sent the whole list.
                #expect(try await Self.watched(system, from: lost).isWhole)
                try await system.settle(mark.journal)
                #expect(Set(mark.journal.ids).isSubset(of: try await system.allPins().map(\.id)))
                for (id, entry) in mark.journal.pins {
                    let photos = Set(try await system.photos(of: "pin/\(id)").map(\.id))
                    #expect(photos.isSuperset(of: entry.uploads.keys))
                    for photo in entry.uploads.keys { #expect(try await !system.picture(of: photo, .large).0.isEmpty) }
                }
                try await system.finish(data)
            }
            let left = try await differences(in: data)
            #expect(left.isEmpty, "\(left.prefix(5))")
        }
    }

    /// The last of what a watch of all pins is sent at once.
    private static func watched(_ system: RunningSystem, from version: UInt64) async throws -> WatchPinsResponse {
        try await system.answered("WatchPins") { _ in
            let request = WatchPinsRequest(fromVersion: version)
            for try await answer in system.pins.watchPins(request, CallOptions()) { return answer }
            throw RPCError(.unavailable, "the watch ended")
        }
    }

    /// Makes backups while pins are made and photos uploaded; one is killed on its way, and begun
    /// again. Gives the last.
    private func backups(
        of system: RunningSystem, _ generator: inout SeededGenerator
    ) async throws -> [Mark] {
        let acknowledged = Acknowledged()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await Self.load(system, acknowledged) }
            var marks: [Mark] = []
            for number in 1...3 {
                if number.isMultiple(of: 2) {
                    let killed = try backup()
                    try await system.supervision.pause(.milliseconds(Int.random(in: 0...120, using: &generator)))
                    killed.send(signal: SIGKILL)
                    _ = try await killed.end()
                }
                let journal = acknowledged.journal.withLock { $0 }
                let end = try await backup(["--verify-every", "2", "--json"]).end()
                try #require(end.code == 0, "\(end)")
                let made = try #require(end.output.split(separator: "\"number\":").last?.prefix { $0.isNumber })
                marks.append(Mark(number: Int(made) ?? 0, journal: journal))
            }
            group.cancelAll()
            return marks.suffix(1)
        }
    }

    private func backup(_ more: [String] = []) throws -> ProgramRun {
        try ProgramRun(
            "waymark", ["backup", "--to", folder.file("place"), "--data", folder.file("data")] + more)
    }

    /// Makes pins and uploads photos into their albums until it is cancelled.
    private static func load(_ system: RunningSystem, _ acknowledged: Acknowledged) async throws {
        let pictures = Files.below(RunningSystem.bundledData + "/postcards/world").filter { $0.hasSuffix(".jpg") }
        var number = 0
        while !Task.isCancelled {
            let request = CreatePinRequest(
                position: Coordinate(latitude: 60.16 + Double(number % 40) / 2_000, longitude: 24.94), radiusM: 300,
                requestId: "pin-\(number)")
            guard let pin = try? await system.create(request) else { return }
            acknowledged.journal.withLock { $0.take(pin) }
            if number.isMultiple(of: 3) {
                let path = "\(RunningSystem.bundledData)/postcards/world/\(pictures[number % pictures.count])"
                let bytes = try WholeFile.bytes(path)
                guard let photo = try? await system.upload(bytes, pin: pin.id, title: "p\(number)") else { return }
                acknowledged.journal.withLock { $0.pins[pin.id]?.uploads[photo.id] = Hex.text(SHA256.digest(bytes)) }
            }
            number += 1
        }
    }

    /// What is orphaned or half done. Pictures that no row names yet are as they are after a power cut, and go when
    /// they are an hour old.
    private func differences(in data: String) async throws -> [String] {
        try await StoredState(data: data).differences().filter { !$0.hasPrefix("blob that no picture names") }
    }
}
