import Contracts
import Daemon
import Glibc
import ProtoSchema
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@Suite(
    "P62 Data that is moved to PostgreSQL and a bucket, and back", .timeLimit(.minutes(10)),
    .enabled(if: PostgresServer.isOfFiles && S3Server.isInstalled, "\(S3Server.hint)"))
struct MoveTests {
    @Test("gives the same answer to every method that reads, byte for byte, also when the move was killed on its way")
    func moved() async throws {
        try await ScopeWorld.with { world in
            let folder = world.processes.folder
            let before = try await Self.answers(world)
            #expect(before.count > 50)
            let servers = try Servers(folder)
            try await servers.expectRefusal(["--from", folder, "--to", servers.database], "is in use")
            try await world.processes.move {
                try await servers.migrate(["--from", folder, "--to", servers.database])
            } to: { name in
                ["--data", "\(folder)/replica-\(name)", "--database", servers.database]
                    + (name == "pins" ? [] : servers.blobs(name))
            }
            try await Self.expect(world, before, "in PostgreSQL and a bucket")
            let back = "\(folder)/back"
            try await servers.expectRefusal(["--from", servers.database, "--to", back], "services run on the database")
            try await world.processes.move {
                try await servers.migrate(["--from", servers.database, "--to", back])
            } to: { name in
                ["--data", "\(back)/\(name)"]
            }
            try await Self.expect(world, before, "in a data folder again")
        }
    }

    @Test("is brought back there from a backup, with its key left in the scratch folder")
    func restored() async throws {
        try await ScopeWorld.with { world in
            let folder = world.processes.folder
            let elsewhere = TemporaryFolder()
            let (place, passphrase) = (elsewhere.file("backups"), elsewhere.file("passphrase"))
            try WholeFile.write(Array("correct horse battery".utf8), to: passphrase)
            let access = ["--passphrase-file", passphrase]
            let made = try await ProgramRun.run(
                "waymark", ["backup", "--data", folder, "--to", place] + access)
            try #require(made.code == 0, "\(made)")
            let servers = try Servers(folder)
            let end = try await ProgramRun.run(
                "waymark",
                ["restore", "--from", place, "--database", servers.database, "--scratch", elsewhere.path, "--json"]
                    + servers.allBlobs + access)
            try #require(end.code == 0 && end.output.contains("\"pins.pins\":2"), "\(end)")
            let left = TemporaryFolder.names(in: elsewhere.file("waymark-restored"))
            #expect(left.contains("key") && !left.contains("pins"), "\(left)")
            try await world.processes.move {
            } to: { name in
                ["--data", "\(folder)/replica-\(name)", "--database", servers.database]
                    + (name == "pins" ? [] : servers.blobs(name))
            }
            let request = "{\"id\":\"\(world.things.pin)\"}"
            let pin = try await world.gateway.call("waymark.pins.v1.PinService/GetPin", request, world.anna.options)
            #expect(pin.code == .ok, "\(pin)")
        }
    }

    private static func expect(_ world: ScopeWorld, _ before: [String: String], _ place: String) async throws {
        let after = try await answers(world)
        #expect(after.keys.sorted() == before.keys.sorted())
        for (question, answer) in before.sorted(by: { $0.key < $1.key }) {
            #expect(after[question] == answer, "\(question) \(place)")
        }
    }

    /// Without how long it took, and which of several services was the first to answer.
    private static func withoutTimes(_ text: String) -> String {
        let text = text.replacing(#/"branches":\[[^\]]*\]/#, with: "").replacing(#/"elapsed":"[^"]*"/#, with: "")
        return text.split(separator: "\n").sorted().joined(separator: "\n")
    }

    /// What every method that reads answers at the gateway, to the one who may ask.
    private static func answers(_ world: ScopeWorld) async throws -> [String: String] {
        var answers: [String: String] = [:]
        for row in ScopeTable.rows where !row.path.contains(".rpc.") {
            guard let method = world.gateway.methods[row.path], method.idempotency == .noSideEffects else { continue }
            let role = world.gateway.role(of: row.path)
            // What keeps the data safe is another thing in each place.
            if role == .service || row.path.hasSuffix("/GetDataSafety") { continue }
            let request = row.request(world.things)
            let outcome = try await world.gateway.call(row.path, request, world.owner(role).options)
            answers["\(row.path) \(request)"] = "\(outcome.code) \(Self.withoutTimes(outcome.text))"
        }
        return answers
    }
}

/// A database and a prefix of a bucket that nothing is in yet.
private struct Servers {
    let database: String
    private let address: String
    private let credentials: String

    init(_ folder: String) throws {
        let name = "move_\(UInt64.random(in: 0 ... .max))"
        let server = try PostgresServer.shared.get()
        let answer = try server.answer("CREATE DATABASE \(name)")
        try #require(answer.isEmpty, "\(answer)")
        database = server.url.replacing("/postgres?", with: "/\(name)?")
        let store = try S3Server.shared(.ofServices)
        (address, credentials) = (store.address(prefix: name), "\(folder)/store.key")
        try WholeFile.write(Array("\(S3Server.keyID)\n\(S3Server.secret)\n".utf8), to: credentials)
        unsafe chmod(credentials, 0o600)
    }

    func blobs(_ name: String) -> [String] {
        ["--blobs", address.replacing("?", with: "/\(name)?"), "--blob-credentials", credentials]
    }

    var allBlobs: [String] { ["--blobs", address, "--blob-credentials", credentials] }

    /// Moves, and kills it some times before.
    func migrate(_ ends: [String]) async throws {
        let arguments = ["migrate", "--json"] + allBlobs + ends
        var generator = SeededGenerator(seed: 46)
        var end: ProgramRun.End?
        for _ in 0..<3 where end == nil {
            let killed = try ProgramRun("waymark", arguments)
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...400, using: &generator)))
            killed.send(signal: SIGKILL)
            // It may have been at its end.
            let ended = try await killed.end()
            if ended.code == 0 { end = ended }
        }
        if end == nil { end = try await ProgramRun.run("waymark", arguments) }
        let last = try #require(end)
        // Or all was let go, and it was killed before it said so.
        let words = last.code == 0 ? "\"pins.pins\":2" : "data of its own"
        try #require(last.output.contains(words), "\(last)")
        // All is there now, and is not of a move any more.
        try await expectRefusal(ends, "data of its own")
    }

    func expectRefusal(_ ends: [String], _ words: String) async throws {
        let end = try await ProgramRun.run("waymark", ["migrate"] + allBlobs + ends)
        #expect(end.code == 1 && end.errors.contains(words), "\(end)")
    }
}
