import Budgets
import Accounts
import AccountContracts
import PinContracts
import Daemon
import EventLoops
import RPC
import Storage
import TestSupport
import TestTools
import Testing
import Wire

@testable import PinService

@Suite("P33 posts", .timeLimit(.minutes(2)))
struct PostTests {
    /// The services of posts and accounts on a real socket with the real database of the pin service.
    private struct World {
        let posts: PostServiceClient
        let accounts: AccountServiceClient
        let clock: ManualClock
        let signer: IdentitySigner

        func by(_ claim: IdentityClaim) -> CallOptions {
            CallOptions(deadline: .now + .seconds(100), signedIdentity: signer.sign(claim))
        }

        func of(_ account: String) -> CallOptions { by(.account(account, .user, by: .session("s"))) }

        /// An account with a name; returns its id.
        func account(_ name: String) async throws -> String {
            let request = SignUpRequest(
                email: "\(name.lowercased().replacing(" ", with: "."))@example.org", password: "correct horse",
                firstName: name)
            return try #require(try await accounts.signUp(request, by(.stranger(.unknown))).session?.account).id
        }

        func post(
            _ account: String, at latitude: Double = 60, link: String = "example.org", overwrite: Bool = false
        ) async throws -> PinContracts.Post {
            let request = CreatePostRequest(
                position: Coordinate(latitude: latitude, longitude: 25), place: "Helsinki", link: link,
                overwrite: overwrite)
            return try #require(try await posts.createPost(request, of(account)).post)
        }

        var all: [PinContracts.Post] {
            get async throws { try await posts.listPosts(ListPostsRequest(), of("reader")).posts }
        }
    }

    private static func with(_ body: (World) async throws -> Void) async throws {
        let (folder, clock, hasher) = (TemporaryFolder(), ManualClock(), PasswordHasher())
        let key = try #require(DeploymentKey(bytes: Array(0..<32)))
        let place = try PostgresServer.place(of: "\(folder.path)/pins.db")
        var settings = DatabaseSettings()
        settings.schema = place.schema
        let store = try await PinStore.open(place.address, settings: settings, clock: clock.clock)
        let accounts = AccountStore(store.database, hasher, clock: clock.clock, key: key, signUp: .open)
        let router = Router([AccountHandler(accounts), PostHandler(store.database, clock: clock.clock)])
        let check = IdentityCheck(key, clock: clock.clock)
        let signer = IdentitySigner(key, clock: clock.clock)
        let result: Result<Void, any Error>
        do {
            try await TestServer.with(router, interceptors: [check]) { server in
                try await server.withClient { client in
                    try await body(
                        World(
                            posts: PostServiceClient(client), accounts: AccountServiceClient(client), clock: clock,
                            signer: signer))
                }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        try await BlockingCalls.run { hasher.close() }
        await store.close()
        try result.get()
    }

    @Test("are near at once where they are now, and nowhere once they are deleted")
    func followed() async throws {
        try await Self.with { world in
            let (ann, bob) = (try await world.account("Ann"), try await world.account("Bob"))
            let request = PostsNearRequest(
                centre: Coordinate(latitude: 60, longitude: 25), radiusM: 500, limit: 1, explain: true)
            func near(_ account: String) async throws -> [PinContracts.Post] {
                let answer = try await world.posts.postsNear(request, world.of(account))
                #expect(answer.explanation?.foundCount == UInt32(answer.posts.count))
                return answer.posts
            }
            #expect(try await near(ann).isEmpty)
            let first = try await world.post(ann)
            #expect(try await near(ann).map(\.own) == [true])
            #expect(try await near(bob).map(\.own) == [false])
            let second = try await world.post(bob)
            let ids = [first.id, second.id].sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            #expect(try await near(bob).map(\.id) == [ids[0]])
            _ = try await world.post(ann, at: 61, overwrite: true)
            #expect(try await near(ann).map(\.id) == [second.id])
            #expect(try await world.posts.deletePost(DeletePostRequest(), world.of(bob)).deleted)
            #expect(try await near(bob).isEmpty)
            _ = try await world.post(ann, link: "example.org/3", overwrite: true)
            #expect(try await near(bob).map(\.link) == ["http://example.org/3"])
        }
    }

    @Test("are one of each account: another one needs overwrite, and keeps its id")
    func one() async throws {
        try await Self.with { world in
            let ann = try await world.account("Ann")
            let first = try await world.post(ann)
            #expect(first.author == "Ann" && first.link == "http://example.org" && first.own)
            let error = try await errorOf { try await world.post(ann, link: "https://example.org/2") }
            #expect(error?.code == .alreadyExists)
            world.clock.move(by: 1)
            let second = try await world.post(ann, link: "https://example.org/2", overwrite: true)
            #expect(second.id == first.id)
            let all = try await world.all
            #expect(all.map(\.link) == ["https://example.org/2"] && all.map(\.own) == [false])
            #expect(try await world.posts.deletePost(DeletePostRequest(), world.of(ann)).deleted)
            #expect(try await !world.posts.deletePost(DeletePostRequest(), world.of(ann)).deleted)
            #expect(try await world.all.isEmpty)
        }
    }

    @Test("are listed newest first with the name that the author had then, at most a hundred")
    func list() async throws {
        try await Self.with { world in
            let (ann, bob) = (try await world.account("Ann"), try await world.account("Bob"))
            _ = try await world.post(ann)
            world.clock.move(by: 1)
            _ = try await world.post(bob)
            _ = try await world.accounts.updateProfile(UpdateProfileRequest(firstName: "Anna"), world.of(ann))
            #expect(try await world.all.map(\.author) == ["Bob", "Ann"])
            world.clock.move(by: 1)
            _ = try await world.post(ann, overwrite: true)
            #expect(try await world.all.map(\.author) == ["Anna", "Bob"])
        }
    }

    @Test("near a point come nearest first")
    func near() async throws {
        try await Self.with { world in
            for (name, latitude) in [("Far", 60.02), ("Near", 60.001), ("Away", 61.0)] {
                _ = try await world.post(try await world.account(name), at: latitude)
            }
            let centre = Coordinate(latitude: 60, longitude: 25)
            let request = PostsNearRequest(centre: centre, radiusM: 5_000)
            let found = try await world.posts.postsNear(request, world.of("reader"))
            #expect(found.posts.map(\.author) == ["Near", "Far"] && !found.truncated)
            #expect((111...112).contains(found.posts[0].distanceM))
            let one = try await world.posts.postsNear(
                PostsNearRequest(centre: centre, radiusM: 5_000, limit: 1), world.of("reader"))
            #expect(one.posts.count == 1 && one.truncated)
        }
    }

    @Test("need an account with a name, and a login even in open mode")
    func refused() async throws {
        try await Self.with { world in
            let nameless = try await errorOf { try await world.post("local") }
            #expect(nameless?.code == .failedPrecondition && nameless?.message.contains("only an account") == true)
            let request = CreatePostRequest(
                position: Coordinate(latitude: 1, longitude: 2), place: "x", link: "example.org")
            let open = try await errorOf {
                try await world.posts.createPost(request, world.by(.account("local", .ofAccounts, by: .nothing)))
            }
            #expect(open?.code == .unauthenticated)
            let ann = try await world.account("Ann")
            _ = try await world.accounts.updateProfile(UpdateProfileRequest(), world.of(ann))
            let error = try await errorOf { try await world.post(ann) }
            #expect(error?.code == .failedPrecondition && error?.message.contains("author's name") == true)
            for (request, words) in [
                (CreatePostRequest(place: "x", link: "a.org"), "position: it is missing"),
                (
                    CreatePostRequest(position: Coordinate(latitude: 91, longitude: 0), place: "x", link: "a.org"),
                    "position.latitude"
                ),
                (CreatePostRequest(position: Coordinate(), place: " ", link: "a.org"), "place: it is missing"),
                (CreatePostRequest(position: Coordinate(), place: "a\nb", link: "a.org"), "place: a control character"),
                (CreatePostRequest(position: Coordinate(), place: "x"), "link: it is missing"),
            ] {
                let error = try await errorOf { try await world.posts.createPost(request, world.of(ann)) }
                #expect(error?.code == .invalidArgument)
                #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            }
        }
    }

    @Test("of one name of a change are made once")
    func named() async throws {
        try await Self.with { world in
            let ann = try await world.account("Ann")
            let request = CreatePostRequest(
                position: Coordinate(latitude: 1, longitude: 2), place: "x", link: "example.org", requestId: "r1")
            let first = try await world.posts.createPost(request, world.of(ann)).post
            world.clock.move(by: 1)
            #expect(try await world.posts.createPost(request, world.of(ann)).post == first)
        }
    }

    @Test("are removed by administrators, and by no one else but their author")
    func removed() async throws {
        try await Self.with { world in
            let (ann, bob) = (try await world.account("Ann"), try await world.account("Bob"))
            let post = try await world.post(ann)
            let remove = RemovePostRequest(id: post.id)
            let error = try await errorOf { try await world.posts.removePost(remove, world.of(bob)) }
            #expect(error?.code == .permissionDenied)
            let open = try await errorOf {
                try await world.posts.removePost(remove, world.by(.account("local", .ofAccounts, by: .nothing)))
            }
            #expect(open?.code == .unauthenticated)
            _ = try await world.posts.deletePost(DeletePostRequest(), world.of(bob))
            #expect(try await world.all.count == 1)
            let admin = world.by(.account(bob, .ofAccounts))
            #expect(try await world.posts.removePost(remove, admin).removed)
            #expect(try await !world.posts.removePost(remove, admin).removed)
            #expect(try await world.all.isEmpty)
        }
    }
}
