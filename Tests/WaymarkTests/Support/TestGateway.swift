import Contracts
import EventLoops
import RPC
import TLS

@testable import Waymark

/// A gateway's calls behind a real socket, answered by hand-made handlers.
struct TestGateway: Sendable {
    let places = FakePlaces()
    let pins = FakePins()
    let photos = FakePhotos()
    let keys = FakeNetworkKeys()
    let photoNetworks = FakePhotoNetworks()
    let maps = FakeMaps()
    let accounts = FakeAccounts()
    let administration = FakeAdministration()
    let mail = FakeMail()
    let passkeys = FakePasskeys()
    let posts = FakePosts()
    let shares = FakeShares()
    let grants = FakeGrants()
    let shared = FakeSharedWithMe()
    let lists = FakeLists()
    let stars = FakeStars()
    let pinFiles = FakePinFiles()
    let settings = FakeSettings()
    let safety = FakeSafety()
    var explore = FakeExplore()
    var echo: any EchoServiceHandler = FakeEcho()
    /// Nil for plain text.
    var tls: TLSContext?

    /// Runs `body` with a way to run command lines against this gateway.
    func run(_ body: (CommandLineRunner) async throws -> Void) async throws {
        let group = try EventLoopGroup(count: 1)
        let router = Router([
            places, pins, photos, keys, photoNetworks, maps, accounts, administration, mail, passkeys, posts, shares,
            grants, shared, lists, stars, settings, safety, pinFiles, explore, echo,
        ])
        let server = Server(router, group: group, tls: tls, agent: "test")
        guard let address = try Endpoint("127.0.0.1:0")?.resolve().first else { return }
        let bound = try await server.listen(on: address)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(CommandLineRunner(target: "\(bound)")))
        } catch {
            result = .failure(error)
        }
        await server.shutDown(grace: .zero)
        group.shutDown()
        try result.get()
    }
}

/// Runs whole command lines inside of this process.
struct CommandLineRunner: Sendable {
    let target: String
    var environment: [String: String] = [:]

    func callAsFunction(_ words: String..., isTerminal: Bool = false, width: Int? = nil) async -> (
        code: ExitCode, screen: Screen
    ) {
        await self(words, isTerminal: isTerminal, width: width)
    }

    func callAsFunction(_ words: [String], isTerminal: Bool = false, width: Int? = nil) async -> (
        code: ExitCode, screen: Screen
    ) {
        let screen = Screen()
        let program = Program(
            console: screen.console(isTerminal: isTerminal, width: width),
            environment: environment.merging(["WAYMARK_TARGET": target]) { given, _ in given })
        return (await program.run(words[...]), screen)
    }
}
