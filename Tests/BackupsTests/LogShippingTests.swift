import EventLoops
import Files
import Glibc
import Storage
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import Backups

@Suite("P62 The log of a database, stored elsewhere as it is written", .timeLimit(.minutes(5)))
struct LogShippingTests {
    /// WAYMARK_REPLICATION_ROUNDS: how often all is brought back.
    private static let rounds = getenv("WAYMARK_REPLICATION_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 4

    @Test("brings back all that was acknowledged before the moment it was stored at", arguments: BackupTests.places)
    func soon(_ kind: S3Server.Kind?) async throws {
        try await ShippedHouse.with(place: try BackupTests.place(kind)) { house in
            let shipper = try house.ship()
            var behind: [Int64] = []
            let isOver = StopFlag()
            let writer = Task { try await house.write(until: { isOver.isSet }) }
            var earlier = 0
            for round in 1...Self.rounds {
                try await house.pause(untilRows: earlier + 50)
                let now = LogFollower.now
                let state = try await house.states(round)
                let rows = try await house.restored(state, "back\(round)")
                let missing = house.acknowledged(before: state.time).subtracting(rows)
                #expect(missing.isEmpty, "\(missing.count) of \(rows.count)")
                behind.append(now - state.time)
                earlier = house.acknowledged().count
            }
            isOver.set()
            try await writer.value
            await shipper.end()
            if Self.rounds > 4 {
                print("replication: \(kind.map { "\($0)" } ?? "folder"): behind in ms \(behind.sorted())")
            }
        }
    }

    @Test("brings back all that was acknowledged, when changes wait for it", arguments: BackupTests.places)
    func before(_ kind: S3Server.Kind?) async throws {
        try await ShippedHouse.with(place: try BackupTests.place(kind), mode: .before) { house in
            let shipper = try house.ship()
            let isOver = StopFlag()
            let writer = Task { try await house.write(until: { isOver.isSet }) }
            var earlier = 0
            for round in 1...3 {
                try await house.pause(untilRows: earlier + 10)
                let known = house.acknowledged()
                let state = try await house.states(round)
                let missing = known.subtracting(try await house.restored(state, "back\(round)"))
                #expect(missing.isEmpty, "\(missing.count) of \(known.count)")
                earlier = known.count
            }
            isOver.set()
            try await writer.value
            await shipper.end()
        }
    }

    @Test("goes on where it was when the database was closed, and when its process was killed")
    func reopened() async throws {
        try await ShippedHouse.with { house in
            for part in 1...3 {
                let shipper = try house.ship()
                try await house.add(100)
                if part == 2 { try await house.stored(all: true) }
                // The log is not stored to its end.
                await shipper.drop()
                try await house.add(100)
                if part < 3 { try await house.reopen() }
            }
            let shipper = try house.ship()
            try await house.stored(all: true)
            let rows = try await house.restored(try await house.states(4), "back")
            #expect(rows == house.acknowledged())
            #expect(Set(try await house.names().map(\.stream)).count == 1)
            await shipper.end()
        }
    }

    @Test("goes on with a stream whose first object was stored when its process was killed")
    func killedAtFirst() async throws {
        try await ShippedHouse.with { house in
            house.isMute.set(true)
            let killed = try house.ship()
            try await house.add(100)
            try await house.until { try await !house.names().isEmpty }
            await killed.drop()
            house.isMute.set(false)
            try await house.add(100)
            try await house.reopen()
            let shipper = try house.ship()
            try await house.stored(all: true)
            #expect(try await house.restored(try await house.states(1), "back") == house.acknowledged())
            #expect(Set(try await house.names().map(\.stream)).count == 1)
            await shipper.end()
        }
    }

    @Test("is stored as a whole again when it was not followed for a while")
    func lost() async throws {
        try await ShippedHouse.with { house in
            let shipper = try house.ship()
            try await house.add(200)
            try await house.stored(all: true)
            await shipper.end()
            try await house.reopen(followed: false)
            try await house.add(200)
            try await house.reopen()
            let again = try house.ship()
            try await house.stored(all: true)
            #expect(
                try await house.restored(try await house.states(1), "back") == house.acknowledged())
            #expect(Set(try await house.names().map(\.stream)).count == 2)
            await again.end()
        }
    }

    @Test("goes back to each moment that is kept, and to none that is not")
    func moments() async throws {
        try await ShippedHouse.with { house in
            let shipper = try house.ship()
            var known: [(time: Int64, rows: Set<Int>)] = []
            for _ in 1...3 {
                try await house.add(50)
                try await house.stored(all: true)
                let time = try #require(try await house.names().map(\.time).max())
                known.append((time, house.acknowledged()))
            }
            for (index, state) in known.enumerated() {
                let log = ShippedLog(try await house.names())
                let plan = LogRestore.Plan(
                    time: state.time, states: [try #require(log.state(at: state.time))], logs: [ShippedHouse.path: log])
                #expect(try await house.restored(plan, "back\(index)") == state.rows)
            }
            // What is older than the first state that is kept is not needed.
            let log = ShippedLog(try await house.names())
            let kept = try #require(log.state(at: known[1].time))
            let left = Set(try await house.names()).subtracting(log.unneeded(before: known[1].time))
            #expect(ShippedLog(Array(left)).objects(of: kept) != nil)
            #expect(log.state(at: 0) == nil)
            await shipper.end()
        }
    }

    @Test("refuses changes while its store is away, where they wait for it, and takes them again afterwards")
    func away() async throws {
        try await ShippedHouse.with(mode: .before) { house in
            let shipper = try house.ship()
            try await house.add(5)
            house.isAway.set(true)
            for _ in 1...2 { await #expect(throws: SQLError.self) { try await house.add(1) } }
            house.isAway.set(false)
            try await house.add(5)
            let known = house.acknowledged()
            #expect(try await house.restored(try await house.states(1), "back").isSuperset(of: known))
            await shipper.end()
        }
    }

    @Test("goes on while its store is away, and stores what changed when it is back")
    func behind() async throws {
        try await ShippedHouse.with { house in
            let shipper = try house.ship()
            try await house.stored(all: true)
            house.isAway.set(true)
            // Longer than the log is before it starts over.
            for _ in 1...4 { try await house.add(150, bytes: 20_000) }
            try await house.until { shipper.shipper.status.trouble != nil }
            #expect(shipper.shipper.status.waitingPages > 0 && shipper.shipper.status.behind(now: .max) > 0)
            house.isAway.set(false)
            try await house.stored(all: true)
            #expect(
                try await house.restored(try await house.states(1), "back") == house.acknowledged())
            await shipper.end()
        }
    }

    @Test("has a state of all pages though the store failed in the middle of the first round")
    func interrupted() async throws {
        try await ShippedHouse.with { house in
            // Several objects.
            try await house.add(600, bytes: 40_000)
            house.isAway.set(true)
            let shipper = try house.ship()
            for _ in 1...4 {
                let count = house.puts
                house.isAway.set(false)
                try await house.until { house.puts > count }
                house.isAway.set(true)
                let failures = shipper.shipper.status.failures
                try await house.until { shipper.shipper.status.failures > failures }
            }
            house.isAway.set(false)
            try await house.stored(all: true)
            #expect(
                try await house.restored(try await house.states(1), "back") == house.acknowledged())
            await shipper.end()
        }
    }

    @Test("takes up what was stored after the position that is kept: pages of an earlier disk come again")
    func earlier() async throws {
        try await ShippedHouse.with { house in
            let shipper = try house.ship()
            // Of one that was stored just now it may not be kept beside the database that it was.
            for _ in 1...2 {
                try await house.add(50)
                try await house.stored(all: true)
            }
            await shipper.drop()
            try await house.keepAside()
            let later = try house.ship()
            try await house.add(300)
            try await house.stored(all: true)
            await later.drop()
            // As a machine is that was set back to a snapshot of its disk.
            let rows = try await house.setBack()
            let again = try house.ship()
            try await house.add(20)
            try await house.stored(all: true)
            let back = try await house.restored(try await house.states(1), "back")
            #expect(back.isSuperset(of: rows) && back.count == rows.count + 20)
            #expect(Set(try await house.names().map(\.stream)).count == 1)
            await again.end()
        }
    }

    @Test("names each object in which one bit is another, sealed or not", arguments: [false, true])
    func damaged(_ isSealed: Bool) async throws {
        try await ShippedHouse.with(isSealed: isSealed) { house in
            let shipper = try house.ship()
            try await house.add(20)
            try await house.stored(all: true)
            await shipper.end()
            let state = try await house.states(1)
            for name in try await house.names() {
                let bytes = try #require(try await house.objects.get(name.text, limit: 1 << 30))
                var flipped = bytes
                flipped[Int.random(in: 0..<flipped.count)] ^= 1 << UInt8.random(in: 0..<8)
                try await house.objects.put(name.text, flipped)
                let error = await #expect(throws: BackupError.self) {
                    _ = try await house.restored(state, "back\(name.number)")
                }
                #expect(error?.description.contains(name.text) ?? false, "\(String(describing: error))")
                try await house.objects.put(name.text, bytes)
            }
            #expect(try await house.restored(state, "back") == house.acknowledged())
        }
    }

    @Test("brings back several databases as they were together")
    func together() async throws {
        try await ShippedHouse.with { one in
            try await ShippedHouse.with(
                place: one.place, database: "photos/photos.db", beat: one.beat
            ) { two in
                let shippers = [try one.ship(), try two.ship()]
                // Each row of the second names one that the first has.
                let isOver = StopFlag()
                let writer = Task {
                    while !isOver.isSet {
                        try await one.add(1)
                        try await two.add(1)
                    }
                }
                for round in 1...4 {
                    try await two.pause(untilRows: round * 60)
                    let plan = try await one.states(round)
                    guard plan.states.count == 2 else { continue }
                    let folder = one.folder.file("together\(round)")
                    try DiskFile.makeFolder(folder)
                    try await LogRestore(one.vault).run(plan, to: folder) { _, _ in }
                    let first = try await DataHouse.rows("\(folder)/pins/pins.db").count
                    let second = try await DataHouse.rows("\(folder)/photos/photos.db").count
                    #expect((0...1).contains(first - second), "\(first) and \(second)")
                }
                isOver.set()
                try await writer.value
                for shipper in shippers { await shipper.end() }
            }
        }
    }

    @Test("brings back all of several databases whose services stopped in good order, one after the other")
    func ended() async throws {
        try await ShippedHouse.with { one in
            try await ShippedHouse.with(
                place: one.place, database: "photos/photos.db", beat: one.beat
            ) { two in
                for round in 1...3 {
                    let shippers = [try one.ship(), try two.ship()]
                    for house in [one, two] { try await house.stored(all: true) }
                    try await one.add(5)
                    if round == 2 { try await two.add(5) }
                    for shipper in shippers { await shipper.end() }
                    let plan = try await one.states(round)
                    let folder = one.folder.file("ended\(round)")
                    try DiskFile.makeFolder(folder)
                    try await LogRestore(one.vault).run(plan, to: folder) { _, _ in }
                    #expect(try await Set(DataHouse.rows("\(folder)/pins/pins.db")) == one.acknowledged())
                    #expect(try await Set(DataHouse.rows("\(folder)/photos/photos.db")) == two.acknowledged())
                    #expect(plan.remarks.isEmpty)
                    for house in [one, two] { try await house.reopen() }
                }
            }
        }
    }

    @Test("reads no name, pages, or position that is not one")
    func strange() throws {
        let name = ShippedName(
            source: "a1", database: "pins/pins.db", stream: "01-ff", number: 7, time: 1_764_467_641_123, first: 3,
            isAwaited: false, isUnchanged: true, isEnd: true, lacksPictures: true, mark: "0123456789abcdef",
            before: ShippedName.noMark)
        #expect(ShippedName(name.text) == name)
        let end = "0123456789abcdef-0000000000000000"
        for text in [
            "", "log", "log/a/pins/pins.db/s/1-2-s", "log/a/pins/pins.db/s/0-1-0-s-\(end)",
            "log/a/pins/pins.db/s/3-1-4-s-\(end)", "log/a/../pins.db/s/1-1-1-s-\(end)",
            "log/a/pins/pins.txt/s/1-1-1-s-\(end)", "pictures/a/pins/pins.db/s/1-1-1-s-\(end)",
            "log/a/pins/pins.db/s/18446744073709551615-1-1-s-\(end)", "log/a/pins/pins.db/s/1-1-1-s-12-34",
            "log/a/pins/pins.db/s/1-99999999999999999-1-b-\(end)", "log/a/pins/pins.db/s/1-1-1-x-\(end)",
            "log/a/pins/pins.db/s/1-1-1-sen-\(end)", "log/a/pins/pins.db/s/1-1-1-snn-\(end)",
        ] { #expect(ShippedName(text) == nil, "\(text)") }
        let bytes = Array(repeating: UInt8(7), count: 1_024)
        let pages = ShippedPages(pageBytes: 512, pageCount: 9, numbers: [1, 9], bytes: bytes[...])
        #expect(ShippedPages(packed: pages.packed)?.numbers == [1, 9])
        for _ in 0..<300 {
            var bytes = pages.packed
            bytes[Int.random(in: 0..<bytes.count)] = UInt8.random(in: 0...255)
            if Bool.random() { bytes.removeLast(Int.random(in: 0..<bytes.count)) }
            _ = ShippedPages(packed: bytes)
        }
    }
}
