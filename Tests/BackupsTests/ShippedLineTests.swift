import Bytes
import EventLoops
import Files
import Storage
import TestSupport
import TestTools
import Testing

@testable import Backups

@Suite("P62 One line of history in a log", .timeLimit(.minutes(5)))
struct ShippedLineTests {
    private static let quick = ShippingClaim.Times(
        look: .milliseconds(50), answer: .seconds(60), renewal: .seconds(600), rest: .milliseconds(300))

    @Test("a copy of the disk that is started elsewhere stores nothing while the first one runs, and says why")
    func copied() async throws {
        try await ShippedHouse.with { one in
            let first = try one.ship(times: Self.quick)
            try await one.add(50)
            try await one.stored(all: true)
            await first.end()
            await one.close()
            try await ShippedHouse.with(copyOf: one) { two in
                try await one.reopen()
                let original = try one.ship(times: Self.quick)
                try await one.add(10)
                try await one.stored(all: true)
                let copy = try two.ship(times: Self.quick)
                two.begin(at: 1_000)
                try await two.add(10)
                try await two.until { copy.shipper.status.trouble?.contains("copy of the other's disk") ?? false }
                try await one.add(10)
                try await one.stored(all: true)
                #expect(try await one.restored(try await one.states(1), "one") == one.acknowledged())
                #expect(original.shipper.status.trouble == nil)
                await original.end()
                // Now it may: what the first one stored since is not in it.
                try await two.stored(all: true)
                let rows = try await two.restored(try await two.states(2), "two")
                #expect(rows == two.acknowledged().union(1...50))
                await copy.end()
            }
        }
    }

    @Test("after a machine went down hard changes say why they are not stored, until the other had time to answer")
    func rebooted() async throws {
        try await ShippedHouse.with(mode: .before) { house in
            let before = ShippingClaim(
                house.vault.store, source: "a1", database: ShippedHouse.path, home: "an earlier start",
                times: Self.quick)
            try await before.take()
            let patient = ShippingClaim.Times(look: .milliseconds(50), answer: .seconds(3_600))
            let asking = try house.ship(times: patient)
            let refusal = await #expect(throws: SQLError.self) { try await house.add(1) }
            #expect("\(try #require(refusal))".contains("whether it still runs"))
            #expect(asking.shipper.status.trouble?.contains("asked for 3600 s") ?? false)
            await asking.drop()
            try await house.reopen(mode: .before)
            let brief = ShippingClaim.Times(look: .milliseconds(50), answer: .milliseconds(100))
            let shipper = try house.ship(times: brief)
            try await house.until { shipper.shipper.claim.isHeld }
            try await house.add(5)
            #expect(try await house.restored(try await house.states(1), "back").isSuperset(of: house.acknowledged()))
            await shipper.end()
        }
    }

    @Test("one that is busy with a large object answers a question still")
    func busy() async throws {
        try await ShippedHouse.with { house in
            let shipper = try house.ship(times: Self.quick)
            try await house.add(5)
            try await house.stored(all: true)
            house.isMute.set(true)
            try await house.add(5)
            try await house.until { house.isWaiting.isSet }
            let other = ShippingClaim(
                house.vault.store, source: "a1", database: ShippedHouse.path, home: "elsewhere", times: Self.quick)
            await #expect(throws: BackupError.self) { try await other.take() }
            #expect(shipper.shipper.claim.isHeld)
            house.isMute.set(false)
            await shipper.drop()
        }
    }

    @Test("who could not wait for the answer to its question asks again, and takes nothing")
    func brokenOff() async throws {
        try await ShippedHouse.with { house in
            let shipper = try house.ship(times: Self.quick)
            try await house.add(5)
            try await house.stored(all: true)
            let objects = BreakingObjects(house.objects)
            let claim = ShippingClaim(
                house.vault.store.with(objects: objects, pictures: objects), source: "a1", database: ShippedHouse.path,
                home: "elsewhere", times: Self.quick)
            await #expect(throws: BlobError.self) { try await claim.take() }
            await #expect(throws: BackupError.self) { try await claim.take() }
            #expect(!claim.isHeld && shipper.shipper.status.trouble == nil)
            await shipper.end()
        }
    }

    @Test("a machine that was copied with its memory is noticed, and neither goes on")
    func doubled() async throws {
        try await ShippedHouse.with { house in
            let shipper = try house.ship(times: Self.quick)
            try await house.add(5)
            try await house.stored(all: true)
            let name = "\(ShippingClaim.folder)/a1/\(ShippedHouse.path)"
            var text = String(decoding: try #require(try await house.objects.get(name, limit: 4_096)), as: UTF8.self)
            // As its copy has renewed it.
            text.replace("\"written\":", with: "\"written\":1")
            try await house.objects.put(name, Array(text.utf8))
            try await house.until { shipper.shipper.status.trouble?.contains("copied while it ran") ?? false }
            try await house.add(5)
            await shipper.end()
            #expect(try await house.restored(try await house.states(1), "back").count == 5)
            // One that is started after the other was stopped.
            let again = try house.ship(times: Self.quick)
            try await house.stored(all: true)
            await again.end()
        }
    }

    private static func name(_ number: UInt64, _ time: Int64, _ mark: Character, behind: Character) -> ShippedName {
        func text(_ digit: Character) -> String { String(repeating: digit, count: 16) }
        return ShippedName(
            source: "a1", database: ShippedHouse.path, stream: "01-ff", number: number, time: time, first: 1,
            isAwaited: false, mark: text(mark), before: text(behind))
    }

    @Test("what two stored into one stream is two lines, of which the one that went on is brought back")
    func lines() throws {
        let trunk = [Self.name(1, 1, "1", behind: "0"), Self.name(2, 2, "2", behind: "1")]
        let side = [Self.name(3, 4, "a", behind: "2"), Self.name(4, 6, "b", behind: "a")]
        let main = [
            Self.name(3, 3, "3", behind: "2"), Self.name(4, 5, "4", behind: "3"), Self.name(5, 7, "5", behind: "4"),
        ]
        let log = ShippedLog((trunk + side + main).shuffled())
        let last = try #require(log.state(at: .max))
        #expect(log.objects(of: last) == (trunk + main).reversed())
        #expect(log.state(at: 6) == main[1] && log.state(at: 4) == main[0])
        #expect(log.sideLines == side && log.gaps.isEmpty)
        // The line that is not whole is never made whole by the other one.
        let holed = ShippedLog(trunk + side + [main[0], main[2]])
        #expect(!holed.isWhole && holed.gaps == [main[2]])
    }

    @Test("a clock that was set forward by days makes nothing of it old; hours in which something was stored do")
    func clock() {
        let hour: Int64 = 3_600_000
        func name(_ number: UInt64, _ time: Int64) -> ShippedName {
            ShippedName(
                source: "a1", database: ShippedHouse.path, stream: "01-ff", number: number, time: time, first: number,
                isAwaited: false, mark: ShippedName.digits(number), before: ShippedName.digits(number - 1))
        }
        var names = (1...3).map { name(UInt64($0), Int64($0) * hour) }
        // Ten days.
        names.append(name(4, 250 * hour))
        #expect(ShippedLog(names).limit(hours: 3) == nil)
        names.append(name(5, 251 * hour))
        #expect(ShippedLog(names).limit(hours: 3) == hour)
        #expect(ShippedLog(names).unneeded(before: hour).isEmpty)
        names.append(name(6, 252 * hour))
        #expect(ShippedLog(names).unneeded(before: 2 * hour) == [names[0]])
    }

    @Test("a store that is full is pruned, and has room again")
    func full() async throws {
        try await ShippedHouse.with { house in
            for number in 1...5 {
                let old = ShippedName(
                    source: "a1", database: ShippedHouse.path, stream: "\(ShippedName.digits(UInt64(number)))-a",
                    number: 1, time: Int64(number) * 3_600_000, first: 1, isAwaited: false,
                    mark: ShippedName.digits(UInt64(number)), before: ShippedName.noMark)
                try await house.objects.put(old.text, [0])
            }
            house.isFull.set(true)
            let shipper = try house.ship(times: Self.quick)
            try await house.add(10)
            try await house.until { shipper.shipper.status.failures > 0 }
            try await house.stored(all: true)
            #expect(try await house.names().contains { $0.time == 4 * 3_600_000 })
            #expect(try await !house.names().contains { $0.time == 3_600_000 })
            await shipper.end()
        }
    }

    @Test("a folder that can't be written to keeps no service from starting, and is used once it can")
    func unwritable() async throws {
        let folder = TemporaryFolder()
        let (place, blocking) = (folder.file("place"), BlockingCalls.ofTested)
        try DiskFile.create(place, byteCount: 0)
        let follower = LogFollower(.soon)
        var settings = DatabaseSettings()
        settings.follower = follower
        let database = try await Database.open(
            folder.file("a.db"), migrations: [DataHouse.counter], settings: settings)
        let open: @Sendable () async throws -> BackupStore = {
            try await BackupStore.open(
                "\(place)/inside", credentials: nil, agent: "waymark-test", environment: [:], isThere: false, blocking)
        }
        let pool = BlockingPool(threadCount: 1, name: "test")
        let bell = Bell()
        let shipping = OpenShipping(
            nil, at: "there", open: open, passphrase: nil, follower: follower, blocking: pool
        ) { _ in
            bell.ring()
        } _: { vault in
            LogShipper(
                follower, database: ShippedHouse.path, source: "a1", vault: vault, blobs: nil, beat: nil, keepHours: 1
            ) { _ in }
        }
        await bell.wait(after: 0, timeout: .seconds(60))
        let report = shipping.report
        #expect(report.warning?.contains("not stored elsewhere") ?? false)
        #expect(report.place == "there" && report.trouble != nil && !report.isWhole)
        try DiskFile.remove(place)
        await bell.wait(after: 1, timeout: .seconds(60))
        let mended = shipping.report
        #expect(mended.warning == nil && mended.trouble == nil)
        await shipping.stop()
        await database.close()
    }
}

/// Objects of which the second that is asked for can't be had.
private struct BreakingObjects: NamedObjects {
    private let objects: any NamedObjects
    private let gets = Counter()

    init(_ objects: any NamedObjects) { self.objects = objects }

    func put(_ name: String, _ bytes: [UInt8]) async throws(BlobError) { try await objects.put(name, bytes) }

    func get(_ name: String, limit: Int) async throws(BlobError) -> [UInt8]? {
        gets.add()
        if gets.count == 2 { throw .away("the store is away, as the test wants it") }
        return try await objects.get(name, limit: limit)
    }

    func remove(_ name: String) async throws(BlobError) { try await objects.remove(name) }

    func list(_ folder: String) async throws(BlobError) -> [(name: String, stored: Int64)] {
        try await objects.list(folder)
    }
}
