import FoundationEssentials
import Glibc
import TestTools
import Testing

@testable import Files
@testable import LoginLinks

@Suite("P32 Links that log in once")
struct LoginLinksTests {
    private static let token = "0123456789abcdef"
    private static let now: Int64 = 1_750_000_000_000
    private let folder = TemporaryFolder()

    private var links: LoginLinks { LoginLinks(gatewayData: folder.path) }
    private var files: [String] { (try? DiskFile.names(in: "\(folder.path)/links")) ?? [] }

    @Test("a link gives its token once, to a gateway that was started since as well, and leaves nothing behind")
    func once() throws {
        let secret = try links.make(for: Self.token, at: Self.now)
        #expect(secret.utf8.count == 22 && secret.utf8.allSatisfy { $0 != UInt8(ascii: "=") })
        let other = try links.make(for: "another-token-0123", at: Self.now)
        let (first, second) = (try links.use(secret, at: Self.now + 1), try links.use(secret, at: Self.now + 2))
        #expect(first == Self.token && second == nil)
        let last = try links.use(other, at: Self.now)
        #expect(last == "another-token-0123" && files.isEmpty)
    }

    @Test("it is good for ten minutes", arguments: [(0, true), (599_999, true), (600_000, false), (-1, false)])
    func life(passed: Int64, isGood: Bool) throws {
        let secret = try links.make(for: Self.token, at: Self.now)
        let token = try links.use(secret, at: Self.now + passed)
        #expect(token == (isGood ? Self.token : nil))
        let again = try links.use(secret, at: Self.now)
        #expect(again == nil)
    }

    @Test("of many that use it at once one gets the token", .timeLimit(.minutes(3)))
    func race() async throws {
        for _ in 0..<20 {
            let secret = try links.make(for: Self.token, at: Self.now)
            let links = links
            let tokens = await withTaskGroup(of: String?.self) { group in
                for _ in 0..<8 { group.addTask { try? links.use(secret, at: Self.now) } }
                return await group.reduce(into: [String]()) { if let token = $1 { $0.append(token) } }
            }
            #expect(tokens == [Self.token])
        }
    }

    @Test("what is no secret finds nothing, and no file but its own", arguments: ["", "../key", "x", "a/b", "\u{0}"])
    func nonsense(secret: String) throws {
        try folder.write("9999999999999\n\(Self.token)\n", to: "key")
        let token = try links.use(secret, at: Self.now)
        #expect(token == nil && FileManager.default.fileExists(atPath: "\(folder.path)/key"))
    }

    @Test(
        "a file that says something else lets nobody in",
        arguments: [
            "", "\n\n", "x\n0123456789abcdef\n", "1750000000001", "1750000000001\n0123456789abcdef", "\u{FF}\n",
        ])
    func malformed(text: String) throws {
        let secret = try links.make(for: Self.token, at: Self.now)
        let name = try #require(files.first)
        try folder.write(text, to: "links/\(name)")
        let token = try links.use(secret, at: Self.now)
        #expect(token == nil)
    }

    @Test("it is for its owner's eyes, and neither the secret nor anything that gives it is on the disk")
    func hidden() throws {
        let secret = try links.make(for: Self.token, at: Self.now)
        let name = try #require(files.first)
        var status = stat()
        #expect(unsafe stat("\(folder.path)/links/\(name)", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        let text = try folder.text("links/\(name)")
        #expect(!name.contains(secret) && !text.contains(secret))
    }

    @Test("those that nobody used go when the next is made")
    func old() throws {
        let future = Int64(time(nil)) * 1000 + 2 * LoginLinks.life
        _ = try links.make(for: Self.token, at: Self.now)
        _ = try links.make(for: Self.token, at: Self.now)
        #expect(files.count == 2)
        _ = try links.make(for: Self.token, at: future)
        #expect(files.count == 1)
    }
}
