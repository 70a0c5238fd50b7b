import EventLoops
import Files
import Glibc
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import Backups
@testable import Storage

/// A database that is written to, and the place that its log is stored at.
final class ShippedHouse: Sendable {
    static let path = "pins/pins.db"

    let folder = TemporaryFolder()
    let place: String
    let vault: BackupVault
    /// Rings when a row is there, and when something is stored or can't be.
    private let bell = Bell()
    let isAway = Flag()
    /// Whether nothing more can be stored until something is removed.
    let isFull = Flag()
    let arePicturesAway = Flag()
    /// Whether an object is stored and no answer comes, as when the process is killed right then.
    let isMute = Flag()
    /// Whether one waits for such an answer.
    let isWaiting = Flag()
    /// What shippers of one place share.
    let beat: String
    private let database: String
    private let store: BackupStore
    private let state: Mutex<State>
    private let trouble = Mutex("")
    private let stores = Counter()

    private struct KeptFile {
        let bytes: [UInt8]
        let modified: Int64
    }

    private struct State {
        var database: Database
        var follower: LogFollower?
        var rows: [(id: Int, at: Int64)] = []
        var next = 0
        var kept: [String: KeptFile] = [:]
        var keptRows = 0
    }

    var objects: any NamedObjects { vault.store.objects }
    private var file: String { folder.file("data/\(database)") }
    private var open: Database { state.withLock { $0.database } }

    static func with(
        place: String? = nil, database: String = path, beat: String? = nil, mode: LogFollower.Mode = .soon,
        isSealed: Bool = false, copyOf original: ShippedHouse? = nil, _ body: (ShippedHouse) async throws -> Void
    ) async throws {
        let house = try await ShippedHouse(original?.place ?? place, database, beat, mode, isSealed, original)
        let result: Result<Void, any Error>
        do { result = .success(try await body(house)) } catch { result = .failure(error) }
        await house.open.close()
        await house.store.close()
        try result.get()
    }

    private init(
        _ place: String?, _ database: String, _ beat: String?, _ mode: LogFollower.Mode, _ isSealed: Bool,
        _ original: ShippedHouse?
    ) async throws {
        self.place = place ?? folder.file("place")
        self.database = database
        self.beat = beat ?? folder.file("beat")
        try DiskFile.makeFolder(DiskFile.folder(of: folder.file("data/\(database)")))
        let opened = try await BackupStore.open(
            self.place, credentials: nil, agent: "waymark-test",
            environment: ["AWS_ACCESS_KEY_ID": S3Server.keyID, "AWS_SECRET_ACCESS_KEY": S3Server.secret],
            isThere: false, BlockingCalls.ofTested)
        store = opened.with(
            objects: WatchedObjects(
                opened.objects, bell, stores, isAway: isAway, isFull: isFull, isMute: isMute, isWaiting: isWaiting),
            pictures: WatchedObjects(opened.pictures, bell, Counter(), isAway: arePicturesAway, isFull: isFull))
        vault = try await BackupVault.open(
            store, passphrase: isSealed ? DataHouse.passphrase : nil, makesKey: true)
        if let original { try Self.copy(original, to: folder.file("data/\(database)")) }
        let follower = LogFollower(mode)
        state = Mutex(
            State(database: try await Self.database(folder.file("data/\(database)"), follower), follower: follower))
    }

    private static func database(_ path: String, _ follower: LogFollower?) async throws -> Database {
        var settings = DatabaseSettings()
        settings.follower = follower
        return try await Database.open(path, migrations: [DataHouse.counter], settings: settings)
    }

    /// As a copy of a whole disk has them: files with the same numbers.
    private static func copy(_ original: ShippedHouse, to file: String) throws {
        try DiskFile.create(file, with: WholeFile.bytes(original.file))
        guard let known = LogPosition.read(of: original.file) else { return }
        var position = LogPosition(
            file: try #require(DiskFile.number(of: file)), changed: known.changed, note: known.note)
        position.closed = ClosedFile(file)
        try position.write(of: file)
    }

    func close() async { await open.close() }

    /// The number before that of the next row.
    func begin(at number: Int) { state.withLock { $0.next = number } }

    /// Closes it, as the end of a process does, and opens it again.
    func reopen(followed: Bool = true, mode: LogFollower.Mode = .soon) async throws {
        await open.close()
        let follower = followed ? LogFollower(mode) : nil
        let database = try await Self.database(file, follower)
        state.withLock { ($0.database, $0.follower) = (database, follower) }
    }

    /// A shipper that runs.
    struct Running: Sendable {
        let shipper: LogShipper
        let task: Task<Void, Never>

        func end() async {
            shipper.stop()
            await task.value
        }

        /// Without a last cut.
        func drop() async {
            task.cancel()
            await task.value
        }
    }

    func ship(
        blobs: ShippedBlobs? = nil, keepHours: Int = 1, times: ShippingClaim.Times = ShippingClaim.Times()
    ) throws -> Running {
        let follower = try #require(state.withLock { $0.follower })
        // Writers wait from here on, if they are to, and not only when its task has begun.
        follower.onWait { [bell] in bell.ring() }
        let shipper = LogShipper(
            follower, database: database, source: "a1", vault: vault, blobs: blobs, beat: beat, keepHours: keepHours,
            times: times
        ) { [self] why in
            trouble.withLock { $0 += why ?? "well again, " }
            bell.ring()
        }
        return Running(shipper: shipper, task: Task { await shipper.run() })
    }

    /// Adds rows, each in a transaction of its own.
    func add(_ count: Int, bytes: Int = 300) async throws {
        for _ in 0..<count {
            let id = state.withLock { state in
                state.next += 1
                return state.next
            }
            try await open.write { transaction throws(SQLError) in
                try transaction.execute(
                    "INSERT INTO items (id, text) VALUES (?1, ?2)", id, String(repeating: "\(id) ", count: bytes / 4))
            }
            let now = LogFollower.now
            state.withLock { $0.rows.append((id, now)) }
            bell.ring()
        }
    }

    func write(until isOver: () -> Bool) async throws {
        while !isOver() { try await add(1) }
    }

    /// The rows that were acknowledged before a moment, in milliseconds since 1970.
    func acknowledged(before moment: Int64 = .max) -> Set<Int> {
        state.withLock { Set($0.rows.filter { $0.at < moment }.map(\.id)) }
    }

    func names() async throws -> [ShippedName] {
        try await objects.list(ShippedName.folder("a1", database)).compactMap { ShippedName($0.name) }
    }

    /// Waits until a condition holds.
    func until(_ isSo: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(120)
        while true {
            let count = bell.count
            if try await isSo() { return }
            try #require(ContinuousClock.now < end, "it never became so: \(trouble.withLock { $0 })")
            await bell.wait(after: count, timeout: end - .now)
        }
    }

    func pause(untilRows count: Int) async throws {
        try await until { acknowledged().count >= count }
    }

    /// Waits until all that is acknowledged now is stored.
    func stored(all: Bool) async throws {
        let now = LogFollower.now
        // Said also where the last cut had all of it, though its moment was a little earlier.
        if try !DiskFile.exists(beat) { try? DiskFile.create(beat, byteCount: 0) }
        try DiskFile.touch(beat)
        let end = ContinuousClock.now + .seconds(120)
        while true {
            let count = bell.count
            if try await names().contains(where: { $0.isState && $0.time >= now }) { return }
            try #require(ContinuousClock.now < end, "nothing was stored: \(trouble.withLock { $0 })")
            await bell.wait(after: count, timeout: .seconds(2))
            // Others touch it again and again: what comes in the same moment as one's own touch is not seen.
            if bell.count == count { try DiskFile.touch(beat) }
        }
    }

    /// Remembers the files of the closed database, and opens it again.
    func keepAside() async throws {
        await open.close()
        let parent = DiskFile.folder(of: file)
        var kept: [String: KeptFile] = [:]
        for name in try DiskFile.names(in: parent) {
            let path = "\(parent)/\(name)"
            kept[name] = KeptFile(
                bytes: try WholeFile.bytes(path), modified: try #require(try DiskFile.status(path)).modified)
        }
        state.withLock { [kept] in ($0.kept, $0.keptRows) = (kept, $0.rows.count) }
        try await reopen()
    }

    /// Puts them back into the same files, with the times that they had; gives the rows that are there then.
    func setBack() async throws -> Set<Int> {
        await open.close()
        let parent = DiskFile.folder(of: file)
        let kept = state.withLock { $0.kept }
        for name in try DiskFile.names(in: parent) {
            let path = "\(parent)/\(name)"
            guard let file = kept[name] else {
                try DiskFile.remove(path)
                continue
            }
            let target = try Descriptor.writing(to: path)
            ftruncate(target.number, off_t(file.bytes.count))
            try DiskFile.writeAll(file.bytes, to: target.number, at: 0, path)
            let time = timespec(tv_sec: Int(file.modified / 1_000), tv_nsec: Int(file.modified % 1_000) * 1_000_000)
            futimens(target.number, [time, time])
            withExtendedLifetime(target) {}
        }
        state.withLock { $0.rows.removeLast($0.rows.count - $0.keptRows) }
        try await reopen()
        return acknowledged()
    }

    /// Objects that were stored.
    var puts: Int { stores.count }

    /// What can be brought back now, once there is something.
    func states(_ round: Int) async throws -> LogRestore.Plan {
        var plan: LogRestore.Plan?
        try await until {
            plan = try await LogRestore(vault).plan(at: nil)
            return plan != nil
        }
        return try #require(plan)
    }

    /// The rows of the database as it is brought back, which is whole.
    func restored(_ plan: LogRestore.Plan, _ name: String) async throws -> Set<Int> {
        let back = folder.file(name)
        try DiskFile.makeFolder(back)
        try await LogRestore(vault).run(plan, to: back) { _, _ in }
        #expect(try SQLiteFacts.faults(of: "\(back)/\(database)").isEmpty)
        return Set(try await DataHouse.rows("\(back)/\(database)"))
    }
}

final class Flag: Sendable {
    private let flag = Atomic(false)
    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set(_ value: Bool) { flag.store(value, ordering: .relaxed) }
}

final class Counter: Sendable {
    private let counter = Atomic(0)
    var count: Int { counter.load(ordering: .relaxed) }
    func add() { counter.add(1, ordering: .relaxed) }
}

/// Objects whose store can be away, and which ring when one is stored.
struct WatchedObjects: NamedObjects {
    private let objects: any NamedObjects
    private let bell: Bell
    private let stores: Counter
    private let isAway: Flag
    private let isFull: Flag
    private let isMute: Flag
    private let isWaiting: Flag

    init(
        _ objects: any NamedObjects, _ bell: Bell, _ stores: Counter, isAway: Flag, isFull: Flag,
        isMute: Flag = Flag(), isWaiting: Flag = Flag()
    ) {
        (self.objects, self.bell, self.stores) = (objects, bell, stores)
        (self.isAway, self.isFull, self.isMute, self.isWaiting) = (isAway, isFull, isMute, isWaiting)
    }

    private func check() throws(BlobError) {
        defer { bell.ring() }
        if isAway.isSet { throw .away("the store is away, as the test wants it") }
    }

    func put(_ name: String, _ bytes: [UInt8]) async throws(BlobError) {
        try check()
        if isFull.isSet { throw .failed("the store is full, as the test wants it") }
        try await objects.put(name, bytes)
        stores.add()
        bell.ring()
        guard isMute.isSet, name.contains(ShippedHouse.path), !name.hasPrefix(ShippingClaim.folder) else { return }
        isWaiting.set(true)
        bell.ring()
        // Until the task is cancelled.
        await Bell().wait(after: 0)
        throw .away("no answer came")
    }

    func get(_ name: String, limit: Int) async throws(BlobError) -> [UInt8]? {
        try check()
        return try await objects.get(name, limit: limit)
    }

    func remove(_ name: String) async throws(BlobError) {
        try await objects.remove(name)
        isFull.set(false)
    }

    func list(_ folder: String) async throws(BlobError) -> [(name: String, stored: Int64)] {
        if isAway.isSet { throw .away("the store is away, as the test wants it") }
        return try await objects.list(folder)
    }
}
