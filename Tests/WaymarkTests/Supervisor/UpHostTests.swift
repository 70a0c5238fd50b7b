import EventLoops
import FoundationEssentials
import Glibc
import TLS
import TestSupport
import TestTools
import Testing

@testable import Arguments
@testable import Files
@testable import Supervisor
@testable import Waymark

@Suite("D1 waymark up for other machines, with the real services", .timeLimit(.minutes(2)))
struct UpHostTests {
    private let folder = TemporaryFolder()

    private func up(_ flags: String...) throws -> RunningWaymark {
        let arguments =
            ["up", "--data", "\(folder.path)/my data", "--port", "0", "--http-port", "0", "--bundled", "none"] + flags
        return try RunningWaymark(arguments, folder: folder)
    }

    private struct Ready: Decodable {
        let gateway: String
        let http: String
        let tokenFile: String?
        let reachedBy: [String: [String]]?
        let link: String?
        let fingerprint: String?
    }

    private struct Link: Decodable {
        let link: String
    }

    private func ready(_ waymark: RunningWaymark) async throws -> Ready {
        let line = try #require(try await waymark.line())
        return try JSONDecoder().decode(Ready.self, from: Data(line.utf8))
    }

    private static func end(of processID: Int32) async throws -> ProcessEnd {
        let pool = BlockingPool(threadCount: 1)
        return try await pool.run {
            var status: Int32 = 0
            try syscall("waitpid") { unsafe waitpid(processID, &status, 0) }
            return ProcessEnd(waitStatus: status)
        }
    }

    /// How `waymark` ends with these arguments.
    private func end(_ arguments: String...) async throws -> ProcessEnd {
        let other = TemporaryFolder()
        return try await RunningWaymark(arguments, folder: other).wait()
    }

    @Test("what it says to try works as it is printed, and nobody comes in without the token")
    func invitation() async throws {
        let waymark = try up("--host", "0.0.0.0")
        var lines: [String] = []
        while let line = try await waymark.line(), lines.last?.hasPrefix("Try:") != true { lines.append(line) }
        let words = lines.suffix(2).map { $0.dropFirst("Try:  ".count) }.joined(separator: "; ")
        // A shell reads it, as the folder's name has a blank.
        let program = try ProgramFolder(nil).path(of: "waymark")
        let shell = try Spawn(
            program: "/bin/sh", arguments: ["-c", "waymark() { \"$0\" \"$@\" > /dev/null; }; \(words)", program],
            descriptors: []
        ).run()
        #expect(try await Self.end(of: shell) == .exited(0), "\(words)")
        let target = try #require(words.split(separator: " ").first { $0.hasPrefix("127.0.0.1:") }).description
        #expect(try await end("pin", "list", "--target", target) == .exited(26))
        let path = "\(folder.path)/my data/token"
        #expect(try await end("pin", "list", "--target", target, "--token-file", path) == .exited(0))
        for address in HostAddresses.ofInterfaces(listening: "0.0.0.0") {
            #expect(lines.contains { $0.hasPrefix("  https://\(address):") }, "\(lines)")
            let port = target.split(separator: ":").last ?? ""
            #expect(
                try await end("pin", "list", "--target", "\(address):\(port)", "--token-file", path) == .exited(0))
        }
        waymark.signal(SIGTERM)
        #expect(try await waymark.wait() == .exited(0))
    }

    @Test("the token is for its owner's eyes, and the same after the next start")
    func token() async throws {
        var tokens: Set<String> = []
        for _ in 1...2 {
            let waymark = try up("--host", "0.0.0.0", "--json")
            let ready = try await ready(waymark)
            let path = try #require(ready.tokenFile)
            #expect(path == "\(folder.path)/my data/token")
            var status = stat()
            #expect(unsafe stat(path, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
            tokens.insert(try folder.text("my data/token"))
            let expected = HostAddresses.ofInterfaces(listening: "0.0.0.0").map { "https://\($0):" }
            let maps = ready.reachedBy?["map"] ?? []
            #expect(zip(maps, expected).allSatisfy { $0.hasPrefix($1) } && maps.count == expected.count)
            waymark.signal(SIGTERM)
            #expect(try await waymark.wait() == .exited(0))
        }
        #expect(tokens.count == 1)
    }

    /// The status of a login by a link, as a phone does it.
    private func logIn(_ link: String) async throws -> Int {
        let parts = try #require(
            link.firstRange(of: "/#/login/").map { (link[..<$0.lowerBound], link[$0.upperBound...]) })
        let port = try #require(parts.0.split(separator: ":").last.flatMap { UInt16($0) })
        let body = Array(#"{"link":"\#(parts.1)"}"#.utf8)
        return try await HTTPSocket(connectingTo: port).ask(
            "POST", "/session", [("Content-Type", "application/json")], body: body
        ).status
    }

    @Test("a phone is logged in by a link, once, and another one can be had meanwhile")
    func link() async throws {
        let waymark = try up("--host", "0.0.0.0", "--json", "--public-url", "http://map.example:7780/")
        let ready = try await ready(waymark)
        let port = try #require(ready.http.split(separator: ":").last)
        let first = try #require(ready.link)
        #expect(first.hasPrefix("http://map.example:7780/#/login/"))
        let here = first.replacing(":7780", with: ":\(port)")
        #expect(try await logIn(here) == 204)
        #expect(try await logIn(here) == 401)
        let other = TemporaryFolder()
        let more = try RunningWaymark(
            ["login-link", "--data", "\(folder.path)/my data", "--json"], folder: other)
        let line = try #require(try await more.line())
        let second = try JSONDecoder().decode(Link.self, from: Data(line.utf8)).link
        #expect(second != first)
        #expect(try await logIn(second.replacing(":7780", with: ":\(port)")) == 204)
        waymark.signal(SIGTERM)
        #expect(try await waymark.wait() == .exited(0))
        let late = TemporaryFolder()
        let missed = try RunningWaymark(["login-link", "--data", "\(folder.path)/my data"], folder: late)
        #expect(try await missed.wait() == .exited(1))
        #expect(try missed.errors.contains("no waymark up runs in \(folder.path)/my data"))
    }

    @Test("others come by https with a certificate of its own, the same at the next start, or with a given one")
    func https() async throws {
        var fingerprints: Set<String> = []
        for _ in 1...2 {
            let waymark = try up("--host", "0.0.0.0", "--json")
            let ready = try await ready(waymark)
            fingerprints.insert(try #require(ready.fingerprint))
            let own = "\(folder.path)/my data/tls/own.pem"
            #expect(try CertificateFacts(file: own).fingerprint == ready.fingerprint)
            var status = stat()
            #expect(unsafe stat(own, &status) == 0 && status.st_mode & 0o777 == 0o600)
            #expect(ready.http.hasPrefix("https://127.0.0.1:"))
            #expect(try await answer(of: ready.http, trusting: own) == 200)
            waymark.signal(SIGTERM)
            #expect(try await waymark.wait() == .exited(0))
        }
        #expect(fingerprints.count == 1)
        let certificates = try TestCertificates.shared.get()
        let given = try up(
            "--json", "--tls-certificate", certificates.server.certificate, "--tls-key", certificates.server.key)
        let ready = try await ready(given)
        #expect(ready.fingerprint == nil)
        #expect(try await answer(of: ready.http, trusting: certificates.authority) == 200)
        given.signal(SIGTERM)
        #expect(try await given.wait() == .exited(0))
    }

    private func answer(of url: String, trusting authority: String) async throws -> Int {
        let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
        let browser = try TLSContext(.client, .init(authorities: authority), for: .web)
        return try await HTTPSocket(connectingTo: port, tls: browser).ask("GET", "/settings.json").status
    }

    @Test("--no-tls is plain http, and says what does not work then")
    func plain() async throws {
        let waymark = try up("--host", "0.0.0.0", "--no-tls")
        var lines: [String] = []
        while let line = try await waymark.line(), lines.last?.hasPrefix("Try:") != true { lines.append(line) }
        #expect(lines.contains { $0.hasPrefix("Over plain http others") })
        #expect(lines.contains { $0.contains("passkeys or offline use") })
        #expect(!lines.contains { $0.contains("https://") })
        waymark.signal(SIGTERM)
        #expect(try await waymark.wait() == .exited(0))
    }

    @Test("tokens of one's own are taken instead, on loopback too, and --open asks for none")
    func ownToken() async throws {
        let file = try folder.write("# mine\n\n0123456789abcdef\n", to: "tokens")
        let mine = try up("--json", "--token-file", file)
        let closed = try await ready(mine)
        #expect(closed.tokenFile == file)
        #expect(closed.reachedBy == nil && closed.link == nil)
        #expect(try await end("pin", "list", "--target", closed.gateway) == .exited(26))
        #expect(try await end("pin", "list", "--target", closed.gateway, "--token-file", file) == .exited(0))
        mine.signal(SIGTERM)
        #expect(try await mine.wait() == .exited(0))
        let open = try up("--json", "--host", "0.0.0.0", "--open")
        let free = try await ready(open)
        #expect(free.tokenFile == nil && free.link == nil)
        #expect(try await end("pin", "list", "--target", free.gateway) == .exited(0))
        open.signal(SIGTERM)
        #expect(try await open.wait() == .exited(0))
    }

    @Test("on loopback nothing changes: no token is made, and none is asked for")
    func loopback() async throws {
        let waymark = try up("--json")
        let ready = try await ready(waymark)
        #expect(ready.tokenFile == nil && ready.reachedBy == nil)
        #expect(access("\(folder.path)/my data/token", F_OK) == -1)
        #expect(try await end("pin", "list", "--target", ready.gateway) == .exited(0))
        waymark.signal(SIGTERM)
        #expect(try await waymark.wait() == .exited(0))
    }
}

@Suite("D1 Parts of an invitation")
struct InvitationTests {
    @Test(
        "an address that is everywhere is told as each of the machine's own",
        arguments: [
            ("0.0.0.0:7700", ["10.0.0.2:7700", "[2001:db8::1]:7700"]), ("[::]:1", ["10.0.0.2:1", "[2001:db8::1]:1"]),
            ("10.0.0.9:7700", ["10.0.0.9:7700"]), ("map.example:80", ["map.example:80"]), ("127.0.0.1:5", []),
            ("[::1]:5", []),
        ])
    func reached(address: String, expected: [String]) {
        #expect(UpAccess.reached(address) { _ in ["10.0.0.2", "2001:db8::1"] } == expected)
    }

    @Test("a path is quoted when a shell would read it otherwise")
    func quoted() {
        #expect(Invitation.quoted("/a/b-c_1.txt") == "/a/b-c_1.txt")
        #expect(Invitation.quoted("/my data/it's") == "'/my data/it'\\''s'")
        #expect(Invitation.quoted("") == "''")
    }

    @Test("addresses that are everywhere")
    func everywhere() {
        for host in ["0.0.0.0", "::"] { #expect(HostAddresses.isEverywhere(host)) }
        for host in ["127.0.0.1", "10.0.0.1", ""] { #expect(!HostAddresses.isEverywhere(host)) }
    }
}
