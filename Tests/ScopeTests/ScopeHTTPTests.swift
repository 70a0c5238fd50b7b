import EventLoops
import FoundationEssentials
import ProtoSchema
import RPC
import TestSupport
import Testing
import Wire

@Suite("P32 P37 scope over HTTP", .timeLimit(.minutes(3)))
struct ScopeHTTPTests {
    @Test("a cookie opens what is its own account's, and pages of other sites open nothing")
    func everyMethod() async throws {
        try await ScopeWorld.with { world in
            let port = try #require(world.processes.gateway.http).port
            let before = try await ScopeTests.reads(world)
            let http = Browsers(port: port, world: world)
            for row in ScopeTable.rows {
                guard let method = world.gateway.methods[row.path], !method.isServerStreaming,
                    !method.isClientStreaming, world.gateway.role(of: row.path) != .anyone
                else { continue }
                try await http.callsWithout(row)
                try await http.call(row, as: world.bob)
            }
            try await http.watches()
            try await http.maps()
            try await http.pictures()
            try await http.archives()
            #expect(try await ScopeTests.reads(world) == before, "what Anna has is as it was")
            try await http.deletedPicture()
        }
    }
}

/// Browsers of Anna, of Bob and of others.
private struct Browsers {
    let port: UInt16
    let world: ScopeWorld

    private func cookie(_ caller: ScopeCaller) -> [(String, String)] {
        caller.token.isEmpty ? [] : [("Cookie", "waymark_session=\(caller.token)")]
    }

    private func ask(
        _ method: String, _ target: String, _ fields: [(String, String)] = [], _ json: String? = nil
    ) async throws -> HTTPReply {
        let type = json == nil ? [] : [("Content-Type", "application/json")]
        return try await HTTPSocket(connectingTo: port)
            .ask(method, target, type + fields, body: Array((json ?? "").utf8))
    }

    /// Without a cookie, with that of a session that has ended, and from a page of another site with Anna's.
    func callsWithout(_ row: ScopeRow) async throws {
        let request = row.request(world.things)
        for caller in [.stranger, .guessing] + world.ended {
            let reply = try await ask("POST", "/\(row.path)", cookie(caller), request)
            #expect(reply.status == 401, "\(row.path) by \(caller.name): \(reply.text)")
            #expect(!tells(reply, request), "\(row.path) by \(caller.name): \(reply.text)")
        }
        for header in [("Origin", "https://elsewhere.example"), ("Sec-Fetch-Site", "cross-site")] {
            let reply = try await ask("POST", "/\(row.path)", cookie(world.anna) + [header], request)
            #expect(reply.status == 403 && !tells(reply, request), "\(row.path) with \(header): \(reply.text)")
        }
    }

    func call(_ row: ScopeRow, as caller: ScopeCaller) async throws {
        let request = row.request(world.things)
        let reply = try await ask("POST", "/\(row.path)", cookie(caller), request)
        let what = "\(row.path) by \(caller.name): \(reply.text)"
        #expect(!tells(reply, request), "\(what)")
        guard world.gateway.role(of: row.path) == .user else {
            #expect(reply.status == 403, "\(what)")
            return
        }
        switch row.others {
        case .hidden: #expect(reply.status == 404 && reply.text.contains(#""code":"not_found""#), "\(what)")
        case .own, .shared: #expect(reply.status == 200, "\(what)")
        case .blind, .refused: break
        }
    }

    /// A watch of Anna's pin says to Bob that there is none, and to a session that has ended nothing at all.
    func watches() async throws {
        let watch = #"waymark.pins.v1.PinService%2FWatchPin:%7B%22id%22:%22\#(world.things.pin)%22%7D"#
        for caller in [.stranger, .guessing] + world.ended {
            let reply = try await ask("GET", "/events?watch=\(watch)", cookie(caller))
            #expect(reply.status == 401, "\(caller.name): \(reply.text)")
        }
        let foreign = try await ask(
            "GET", "/events?watch=\(watch)", cookie(world.anna) + [("Origin", "https://elsewhere.example")])
        #expect(foreign.status == 403)
        for (caller, code) in [(world.bob, "not_found"), (world.anna, nil)] {
            let event = try await firstEvent("/events?watch=\(watch)", cookie(caller))
            #expect(event.contains(#""code":"\#(code ?? "")""#) == (code != nil), "\(event)")
            #expect(event.contains(#""message":{"pin""#) == (code == nil), "\(event)")
        }
    }

    private func firstEvent(_ target: String, _ fields: [(String, String)]) async throws -> String {
        let socket = try await HTTPSocket(connectingTo: port)
        try await socket.send("GET", target, fields)
        #expect(try await socket.head().status == 200)
        var text = ""
        while true {
            let chunk = try await socket.chunk()
            text += String(decoding: chunk, as: UTF8.self)
            if let data = text.split(separator: "\n\n").first(where: { $0.contains("data:") }) { return String(data) }
            if chunk.isEmpty { return text }
        }
    }

    /// All that Anna has is in her archive, whose files are stored as they are, and nothing of it in Bob's.
    func archives() async throws {
        for caller in [.stranger, .guessing] + world.ended {
            #expect(try await ask("GET", "/account.zip", cookie(caller)).status == 401, "\(caller.name)")
        }
        let own = try await ask("GET", "/account.zip", cookie(world.anna))
        #expect(own.status == 200 && own["content-type"] == "application/zip" && own["cache-control"] == "no-store")
        let things = world.things
        for mark in [things.account, things.email, things.pin, things.photo, things.share, things.passkey] {
            #expect(own.text.contains(mark), "\(mark)")
        }
        #expect(!own.text.contains(ScopeLibrary.key), "secrets of networks stay here")
        let others = try await ask("GET", "/account.zip", cookie(world.bob))
        #expect(others.status == 200)
        for mark in world.marks where !others.text.isEmpty { #expect(!others.text.contains(mark), "\(mark)") }
    }

    /// The map around Anna's pin.
    func maps() async throws {
        let target = "/maps/\(world.things.pin)?width=64&height=64"
        let own = try await ask("GET", target, cookie(world.anna))
        #expect(own.status == 200 && own["content-type"] == "image/png", "\(own.text.prefix(200))")
        #expect(own["cache-control"] == "private, no-cache")
        let others = try await ask("GET", target, cookie(world.bob) + [("If-None-Match", own["etag"] ?? "")])
        let elsewhere = target.replacing(world.things.pin, with: ScopeThings.never.pin)
        let never = try await ask("GET", elsewhere, cookie(world.bob))
        #expect(others.status == 404 && never.status == 404)
        #expect(message(others).replacing(world.things.pin, with: ScopeThings.never.pin) == message(never))
        for caller in [.stranger, .guessing] + world.ended {
            #expect(try await ask("GET", target, cookie(caller)).status == 401, "\(caller.name)")
            #expect(try await ask("GET", "/tiles/none/0/0/0", cookie(caller)).status == 401, "\(caller.name)")
        }
        // Datasets belong to all accounts; this one is not there.
        #expect(try await ask("GET", "/tiles/none/0/0/0", cookie(world.anna)).status == 404)
    }

    /// The URL of a picture is the permission to see it, for a day or two: who has it was given it by its owner, as no
    /// other account is told it. Nobody can make one.
    func pictures() async throws {
        let url = world.things.thumbnail
        #expect(try await ask("GET", url, cookie(world.anna)).status == 200)
        #expect(try await ask("GET", url).status == 200)
        let parts = url.split(separator: ".").map(String.init)
        for wrong in [parts[0], "\(parts[0]).", "\(parts[0]).\(String(parts[1].reversed()))", "/pictures/x.y"] {
            for caller in [world.anna, world.bob] {
                #expect(try await ask("GET", wrong, cookie(caller)).status == 404, "\(wrong)")
            }
        }
    }

    /// A picture goes with its photo: the gateway has no copy.
    func deletedPicture() async throws {
        let delete = #"{"id":"\#(world.things.photo)"}"#
        let path = "/waymark.photos.v1.UploadService/DeletePhoto"
        #expect(try await ask("POST", path, cookie(world.anna), delete).status == 200)
        for caller in [world.anna, world.bob, .stranger] {
            let reply = try await ask("GET", world.things.thumbnail, cookie(caller))
            #expect(reply.status == 404, "\(caller.name)")
        }
    }

    private func tells(_ reply: HTTPReply, _ request: String) -> Bool {
        world.tells(ScopeOutcome(answers: [reply.text]), request)
    }

    private func message(_ reply: HTTPReply) -> String {
        struct Failure: Decodable { let message: String }
        return (try? JSONDecoder().decode(Failure.self, from: Data(reply.body)))?.message ?? ""
    }
}
