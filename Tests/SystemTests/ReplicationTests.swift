import Contracts
import Crypto
import FoundationEssentials
import Glibc
import RPC
import Storage
import Synchronization
import TestSupport
import TestTools
import Testing
import WholeSystem

@Suite(
    "P55, P62 A system whose machine is lost", .timeLimit(.minutes(60)),
    .enabled(if: PostgresServer.isOfFiles, "a PostgreSQL server has replicas of its own"))
struct ReplicationTests {
    /// WAYMARK_REPLICATION_ROUNDS: at how many moments a machine is lost. Each is brought back, and the last one of
    /// each mode started.
    private static let rounds = getenv("WAYMARK_REPLICATION_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 20
    /// Moments of one system: what it has stored does not grow without end.
    private static let momentsOfSystem = 50

    private let folder = RunFolder()

    private struct Restored: Decodable {
        let moment: Double
        let isEnd: Bool
        let remarks: [String]
    }

    private static var now: Int64 { LogFollower.now }

    /// What was acknowledged, and when.
    private final class Acknowledged: Sendable {
        struct Photo: Sendable {
            let pin: String
            let hash: String
            /// Milliseconds since 1970.
            let at: Int64
        }

        let pins = Mutex<[(pin: Pin, at: Int64)]>([])
        let photos = Mutex<[String: Photo]>([:])

        /// When the first pin was.
        var first: Int64 { pins.withLock { $0.first?.at ?? .max } }

        /// All until a moment.
        func journal(until moment: Int64) -> Journal {
            var journal = Journal()
            for (pin, at) in pins.withLock({ $0 }) where at <= moment { journal.take(pin) }
            for (id, photo) in photos.withLock({ $0 }) where photo.at <= moment {
                journal.pins[photo.pin]?.uploads[id] = photo.hash
            }
            return journal
        }
    }

    @Test(
        "has all that was acknowledged before its last moment there, or at all, whole, from where it was replicated to")
    func lost() async throws {
        let shelf = PictureShelf(from: RunningSystem.bundledData + "/postcards", to: folder.file("pictures"))
        var generator = SeededGenerator(seed: 71)
        try shelf.add(20, &generator)
        let plan = try KillPlanFile(path: folder.file("plan"))
        for mode in ["soon", "before"] {
            var losses = Losses()
            var (left, system) = (Self.rounds / 2, 0)
            while left > 0 {
                let count = min(left, Self.momentsOfSystem)
                try await lose(mode, system, count, shelf, plan, &generator, &losses)
                (left, system) = (left - count, system + 1)
            }
            say("replication: \(mode): \(losses.text)")
        }
    }

    /// What was acknowledged and is not there, when a machine was lost at a moment.
    private func take(
        _ moment: LostMoment, _ mode: String, _ acknowledged: Acknowledged, _ losses: inout Losses
    ) async throws {
        let back = try await moment.restore(to: folder.file("moment"))
        let journal = acknowledged.journal(until: mode == "soon" ? back.moment : moment.end)
        #expect(mode == "soon" || !back.lacksPictures)
        func isThere(_ id: String) -> Bool { back.pins.contains(id.filter { $0 != "-" }.lowercased()) }
        let missing = journal.pins.keys.filter { !isThere($0) }
        #expect(missing.isEmpty, "\(moment.place): \(missing.count) of \(journal.pins.count) pins")
        #expect(back.photos.isSuperset(of: journal.pins.values.flatMap(\.uploads.keys)), "\(moment.place)")
        let lost = acknowledged.pins.withLock { $0 }.filter { $0.at <= moment.end && !isThere($0.pin.id) }
        losses.add(pins: lost.count, age: Int(lost.map { moment.end - $0.at }.max() ?? 0))
        TemporaryFolder.remove(moment.place)
    }

    /// The moment that would be brought back now, in milliseconds since 1970; 0 without one that has everything.
    private static func stored(at place: String, probe: String) async throws -> Int64 {
        defer { TemporaryFolder.remove(probe) }
        let run = try await ProgramRun.run("waymark", ["restore", "--from", place, "--data", probe, "--json"])
        guard run.code == 0 else { return 0 }
        let restored = try JSONDecoder().decode(Restored.self, from: Data(run.output.utf8))
        return restored.remarks.isEmpty ? Int64(restored.moment * 1_000) : 0
    }

    private func lose(
        _ mode: String, _ round: Int, _ count: Int, _ shelf: PictureShelf, _ plan: KillPlanFile,
        _ generator: inout SeededGenerator, _ losses: inout Losses
    ) async throws {
        let (place, data) = (folder.file("place-\(mode)\(round)"), folder.file("data-\(mode)\(round)"))
        let probe = folder.file("probe")
        let replicated = ["WAYMARK_REPLICATE": place, "WAYMARK_REPLICATE_MODE": mode]
        let acknowledged = Acknowledged()
        let pauses = (0..<count).map { _ in Duration.milliseconds(Int.random(in: 20...400, using: &generator)) }
        var moments: [LostMoment] = []
        var end = Self.now
        try await RunningSystem.lose(data: data, pictures: shelf.path, plan: plan, settings: replicated) { system in
            try await system.scan()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await Self.load(system, acknowledged) }
                try await within(RunningSystem.patience, { "nothing that was acknowledged is stored" }) {
                    while try await Self.stored(at: place, probe: probe) <= acknowledged.first {
                        try await system.supervision.pause(.milliseconds(50))
                    }
                }
                for (number, pause) in pauses.enumerated() {
                    try await system.supervision.pause(pause)
                    moments.append(
                        try LostMoment.take(
                            of: place, as: folder.file("moment-\(number)"), system.supervision.processes))
                }
                group.cancelAll()
            }
            end = Self.now
        }
        TemporaryFolder.remove(data)
        for moment in moments { try await take(moment, mode, acknowledged, &losses) }
        let back = folder.file("back-\(mode)\(round)")
        let run = try await ProgramRun.run("waymark", ["restore", "--from", place, "--data", back, "--json"])
        try #require(run.code == 0, "\(run)")
        // Where changes do not wait for it, it is as it was at a moment before.
        let restored = try JSONDecoder().decode(Restored.self, from: Data(run.output.utf8))
        let moment = Int64(restored.moment * 1_000)
        let journal = acknowledged.journal(until: mode == "soon" ? moment : end)
        // Where no change waits for it, a picture that was just put may be on its way still: then it says so.
        let hasPictures = !restored.remarks.contains { $0.contains("Pictures") }
        #expect(mode == "soon" || hasPictures)
        let count = acknowledged.pins.withLock { $0.count }
        #expect(!journal.pins.isEmpty)
        say("replication: \(mode): \(journal.pins.count) of \(count) pins have to be there")
        let again = folder.file("again-\(mode)\(round)")
        let settings = ["WAYMARK_REPLICATE": again, "WAYMARK_REPLICATE_MODE": mode]
        try await RunningSystem.run(data: back, pictures: shelf.path, plan: plan, settings: settings) { system in
            try await system.settle(journal)
            let there = Set(try await system.allPins().map(\.id))
            let lost = acknowledged.pins.withLock { $0 }.filter { !there.contains($0.pin.id) }
            let age = lost.map { end - $0.at }.max() ?? 0
            say("replication: \(mode): \(lost.count) pins lost, the oldest acknowledged \(age) ms before the end")
            for (id, entry) in journal.pins {
                let photos = Set(try await system.photos(of: "pin/\(id)").map(\.id))
                #expect(photos.isSuperset(of: entry.uploads.keys), "\(mode)")
                for photo in entry.uploads.keys where hasPictures {
                    #expect(try await !system.picture(of: photo, .large).0.isEmpty)
                }
            }
            try await system.finish(back)
            try await within(RunningSystem.patience, { "the log has nothing of the restored system" }) {
                while try await Self.stored(at: again, probe: probe) == 0 {
                    try await system.supervision.pause(.milliseconds(50))
                }
            }
        }
        let left = try await StoredState(data: back).differences().filter {
            !$0.hasPrefix("blob that no picture names")
        }
        #expect(left.isEmpty, "\(mode): \(left.prefix(5))")
        try await compare(back, withLogAt: again)
    }

    /// A system that was stopped in good order has stored all that it had, if its disk let it before it had to end.
    private func compare(_ data: String, withLogAt place: String) async throws {
        let copy = "\(data)-copy"
        let run = try await ProgramRun.run("waymark", ["restore", "--from", place, "--data", copy, "--json"])
        try #require(run.code == 0, "\(run)")
        guard try JSONDecoder().decode(Restored.self, from: Data(run.output.utf8)).isEnd else {
            return say("replication: it was killed before it had stored its end: \(run.output)")
        }
        try await BlockingCalls.run {
            for (database, queries) in Self.versions {
                let (last, stored) = (
                    try StoredState.texts("\(data)/\(database)", queries),
                    try StoredState.texts("\(copy)/\(database)", queries)
                )
                #expect(last == stored, "\(database): \(run.output)")
                #expect(!last.isEmpty)
            }
        }
    }

    /// What changes with each change of a pin, a photo or an album. A restore begins a new epoch of the pins' versions
    /// (SQLiteEpoch), which is in their high bits.
    private static let versions: [(String, [StaticString])] = [
        ("pins/pins.db", ["SELECT lower(hex(id)) || ' ' || (version % 1099511627776) FROM pins ORDER BY id"]),
        (
            "photos/photos.db",
            [
                "SELECT id || ' ' || version FROM photos ORDER BY id",
                "SELECT subject || ' ' || version FROM albums ORDER BY subject",
                "SELECT 'jobs ' || count(*) FROM jobs",
            ]
        ),
    ]

    /// Makes pins and uploads photos into their albums until it is cancelled.
    private static func load(_ system: RunningSystem, _ acknowledged: Acknowledged) async throws {
        let pictures = Files.below(RunningSystem.bundledData + "/postcards/world").filter { $0.hasSuffix(".jpg") }
        var number = 0
        while !Task.isCancelled {
            let request = CreatePinRequest(
                position: Coordinate(latitude: 60.16 + Double(number % 40) / 2_000, longitude: 24.94), radiusM: 300,
                requestId: "pin-\(number)")
            guard let pin = try? await system.create(request) else { return }
            acknowledged.pins.withLock { $0.append((pin, Self.now)) }
            if number.isMultiple(of: 4) {
                let path = "\(RunningSystem.bundledData)/postcards/world/\(pictures[number % pictures.count])"
                let bytes = try WholeFile.bytes(path)
                guard let photo = try? await system.upload(bytes, pin: pin.id, title: "p\(number)") else { return }
                acknowledged.photos.withLock {
                    $0[photo.id] = Acknowledged.Photo(
                        pin: pin.id, hash: Hex.text(SHA256.digest(bytes)), at: Self.now)
                }
            }
            number += 1
        }
    }
}
