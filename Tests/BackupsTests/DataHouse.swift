import EventLoops
import Files
import Storage
import TestSupport
import TestTools
import Testing

@testable import Backups

/// A data folder with two databases and some files, a place for its backups, and who makes and restores these.
final class DataHouse: Sendable {
    static let passphrase = Array("correct horse battery".utf8)

    let folder = TemporaryFolder()
    let pins: Database
    let photos: Database
    let place: String

    var data: String { folder.file("data") }

    /// - Parameter place: where its backups are; a folder of its own when nil.
    static func with(place: String? = nil, _ body: (DataHouse) async throws -> Void) async throws {
        let house = try await DataHouse(place)
        do {
            try await body(house)
        } catch {
            await house.close()
            throw error
        }
        await house.close()
    }

    private init(_ place: String?) async throws {
        self.place = place ?? folder.file("place")
        let data = folder.file("data")
        for name in ["pins", "photos/blobs", "places/datasets/mine", "logs", "gateway/pictures"] {
            try DiskFile.makeFolder("\(data)/\(name)")
        }
        pins = try await Database.open("\(data)/pins/pins.db", migrations: [Self.counter])
        photos = try await Database.open("\(data)/photos/photos.db", migrations: [Self.counter])
        for (path, text) in [
            ("key", "the secret of the deployment"), ("logs/pins.log", "a log"), ("pins/lock", ""),
            ("places/datasets/mine/dataset.json", "{}"), ("gateway/pictures/1", "a copy"),
        ] {
            try folder.write(text, to: "data/\(path)")
        }
        for number in 0..<3 { try blob(number) }
    }

    func close() async {
        await pins.close()
        await photos.close()
    }

    static let counter = Migration(
        "0.2.0 counter", "CREATE TABLE items (id BIGINT PRIMARY KEY, text TEXT NOT NULL);")

    /// Adds a file as the photo service keeps pictures, and gives its path.
    @discardableResult
    func blob(_ number: Int, bytes: Int = 20_000) throws -> String {
        let text = String(repeating: "picture \(number) ", count: bytes / 10)
        let path = Self.path(ofBlob: text)
        try DiskFile.makeFolder(DiskFile.folder(of: "\(data)/\(path)"))
        try folder.write(text, to: "data/\(path)")
        return path
    }

    /// Where `blob` has put one of the usual size.
    static func blob(_ number: Int) -> String { path(ofBlob: String(repeating: "picture \(number) ", count: 2_000)) }

    private static func path(ofBlob text: String) -> String {
        let name = BlobName(of: Array(text.utf8)).text
        return "photos/blobs/\(name.prefix(2))/\(name.dropFirst(2))"
    }

    /// Adds a row, which is on the disk when this returns.
    func add(_ id: Int, _ text: String = "", to database: Database) async throws {
        try await database.write { transaction throws(SQLError) in
            try transaction.execute("INSERT INTO items (id, text) VALUES (?1, ?2)", id, text)
        }
    }

    /// Opens the place, as a command does.
    func open<Value: Sendable>(
        sealed: Bool = false, _ body: (BackupVault) async throws -> Value
    ) async throws -> Value {
        try await open(passphrase: sealed ? Self.passphrase : nil, body)
    }

    func open<Value: Sendable>(
        passphrase: [UInt8]?, _ body: (BackupVault) async throws -> Value
    ) async throws -> Value {
        let store = try await BackupStore.open(
            place, credentials: nil, agent: "waymark-test",
            environment: ["AWS_ACCESS_KEY_ID": S3Server.keyID, "AWS_SECRET_ACCESS_KEY": S3Server.secret],
            isThere: false, BlockingCalls.ofTested)
        let result: Result<Value, any Error>
        do {
            result = .success(
                try await body(try await BackupVault.open(store, passphrase: passphrase, makesKey: true)))
        } catch {
            result = .failure(error)
        }
        await store.close()
        return try result.get()
    }

    /// Makes a backup.
    @discardableResult
    func backUp(
        _ vault: BackupVault, keep: KeepRules? = nil, at time: Int64 = 1_000,
        _ report: @escaping @Sendable (BackupRun.Progress) -> Void = { _ in }
    ) async throws -> StoredBackup {
        try await BackupRun(vault, of: data, keep: keep, program: "1.2.3", now: { time }).run(report).backup
    }

    /// Brings one back, and gives the folder that it is in.
    func restore(_ backup: StoredBackup, _ vault: BackupVault, to name: String = "back") async throws -> String {
        _ = try await RestoreRun(vault).run(backup, to: folder.file(name)) { _ in }
        return folder.file(name)
    }

    func prove(_ backup: StoredBackup, _ vault: BackupVault) async throws -> BackupProof {
        try await BackupProof.make(
            of: backup, in: vault, scratch: folder.path, program: "1.2.3", now: 5, open: { _ in nil }
        ) {
            _, _ in
        }
    }

    /// The ids of the rows of a database that no one has open.
    static func rows(_ path: String) async throws -> [Int] {
        let database = try await Database.open(path, migrations: [counter])
        let ids = try await database.read { transaction throws(SQLError) in
            try transaction.rows("SELECT id FROM items ORDER BY id") { row throws(SQLError) in Int(try row.integer(0)) }
        }
        await database.close()
        return ids
    }
}
