import Compression
import Contracts
import EventLoops
import RPC
import TestSupport
import TestTools
import Testing

/// One client that takes all it can get of something scarce, and another one who wants little of it.
@Suite("E16 E17 E19 what is scarce is there for all, as seen from outside", .serialized, .timeLimit(.minutes(5)))
struct ShareAttackTests {
    /// Has someone call again and again, as many at once as more than fill the queue of passwords, while `body` runs;
    /// gives the statuses that came.
    private static func flooding(
        by person: Person, _ call: @escaping @Sendable (Int, HTTPSocket) async throws -> Int,
        while body: () async throws -> Void
    ) async throws -> [Int: Int] {
        let isOver = StopFlag()
        return try await withThrowingTaskGroup(of: [Int: Int].self) { group in
            for worker in 0..<20 {
                group.addTask {
                    let socket = try await person.connect()
                    var seen: [Int: Int] = [:]
                    while !isOver.isSet { seen[try await call(worker, socket), default: 0] += 1 }
                    return seen
                }
            }
            defer { isOver.set() }
            try await body()
            isOver.set()
            return try await group.reduce(into: [:]) { all, seen in all.merge(seen) { $0 + $1 } }
        }
    }

    /// Logs in some times; each has to be answered.
    private static func logIns(_ person: Person) async throws {
        for _ in 0..<5 {
            let reply = try await person.logIn()
            #expect(reply.status == 200, "\(reply.text)")
        }
    }

    @Test("log-ins beside one who sets passwords of links as fast as can be are answered, none refused")
    func passwords() async throws {
        try await AttackedSystem.with { system in
            let (eve, ann) = (try await system.signUp("eve", from: 66), try await system.signUp("ann", from: 1))
            let pin = try await eve.createPin()
            let seen = try await Self.flooding(by: eve) { worker, socket in
                try await eve.share(pin, password: "password \(worker)", on: socket).status
            } while: {
                try await Self.logIns(ann)
            }
            print("attack E16 passwords of links: \(seen)")
            #expect(seen[429, default: 0] > 0, "more than there is room for")
        }
    }

    @Test("log-ins beside one who guesses passwords of links are answered, and so is the one who knows a password")
    func guesses() async throws {
        try await AttackedSystem.with { system in
            let (eve, ann) = (try await system.signUp("eve", from: 66), try await system.signUp("ann", from: 1))
            let pin = try await eve.createPin()
            var links: [String] = []
            for _ in 0..<20 { links.append(try Person.link(try await eve.share(pin, password: "the password"))) }
            let (guessed, known) = (Array(links.dropLast()), try #require(links.last))
            let seen = try await Self.flooding(by: eve) { worker, socket in
                try await eve.open(guessed[worker % guessed.count], password: "guess \(worker)", on: socket).status
            } while: {
                try await Self.logIns(ann)
                let opened = try await ann.open(known, password: "the password")
                #expect(opened.status == 200, "\(opened.text)")
            }
            print("attack E16 guesses: \(seen)")
            #expect(seen[401, default: 0] > 0, "some were compared")
        }
    }

    @Test("an account's and an album's archive come beside four of another account that are hardly read")
    func archives() async throws {
        try await AttackedSystem.with { system in
            let (eve, ann) = (try await system.signUp("eve", from: 66), try await system.signUp("ann", from: 1))
            var random = SeededGenerator(seed: 19)
            let rows = (0..<4_000).map { number in
                // Letters of which nothing can be packed away.
                let note = String((0..<2_000).map { _ in random.one(of: Array("abcdefghijklmnopqrstuvwxyz012345")) })
                return "\(number),60.1,24.9,\(note)\n"
            }
            let table = Array(("name,latitude,longitude,note\n" + rows.joined()).utf8)
            let id = try await system.send(table, name: "eve.csv", of: eve.account)
            #expect(try await system.run(id, of: eve.account) == 4_000)
            var slow: [HTTPSocket] = []
            for address in UInt8(66)...69 {
                let socket = try await HTTPSocket(connectingTo: system.http.port, receiveBytes: 4096, client: address)
                try await socket.send("GET", "/account.zip", eve.bearer)
                let head = try await socket.head()
                #expect(head.status == 200, "\(head)")
                _ = try await socket.chunk()
                slow.append(socket)
            }
            let pin = try await ann.createPin()
            let album = "/albums/\(pin).zip"
            // It has no photos until they are found.
            while try await ann.get(album).status == 412 {}
            for path in ["/account.zip", album] {
                let reply = try await ann.get(path)
                #expect(
                    reply.status == 200 && reply.body.starts(with: [0x50, 0x4b]), "\(path): \(reply.text.prefix(300))")
            }
            for socket in slow { #expect(try await !socket.chunk().isEmpty, "its download goes on") }
        }
    }

    @Test("imports of others go on beside a hundred of one account, which are refused, and not counted")
    func imports() async throws {
        var nothing = Array(",,\n".utf8)
        while nothing.count < 150 << 20 { nothing += nothing }
        let hollow = Gzip.pack(Array("name,latitude,longitude\nA,60.1,24.9\n".utf8) + nothing, level: 1)
        let rows = (0..<1_000).map { "\($0),60.1,24.9\n" }
        let table = Array(("name,latitude,longitude\n" + rows.joined()).utf8)
        try await AttackedSystem.with { system in
            let long = try await system.send(hollow, name: "eve.csv", of: "eve")
            let refusals = Tally()
            try await withThrowingTaskGroup(of: RPCError?.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        do {
                            _ = try await system.run(long, isTrial: true, of: "eve")
                        } catch {
                            refusals.add()
                            return error as? RPCError
                        }
                        return nil
                    }
                }
                try await refusals.wait()
                let refused = try #require(try await group.next() ?? nil)
                #expect(refused.code == .resourceExhausted && refused.message.contains("too much of this waiting"))
                for account in ["ann", "bob", "eva"] {
                    let id = try await system.send(table, name: "\(account).csv", of: account)
                    let added = try await system.run(id, of: account)
                    #expect(added == 1_000)
                }
                group.cancelAll()
            }
            print("attack E17 imports: \(refusals.count) refused or given up")
            let own = try await system.send(table, name: "own.csv", of: "eve")
            let added = try await system.run(own, of: "eve")
            #expect(added == 1_000)
        }
    }
}
