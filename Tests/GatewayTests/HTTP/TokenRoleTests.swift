import Contracts
import Daemon
import LoginLinks
import RPC
import TestSupport
import TestTools
import Testing
import Wire

@testable import Gateway

@Suite("P32 what the bearer of a token may do", .timeLimit(.minutes(3)))
struct TokenRoleTests {
    private static let user = "user-token-0123456789"
    private static let admin = "admin-token-0123456789"
    /// Tokens with all roles: by their line, and as lines were before there were roles.
    private static let all = ["both-token-0123456789", "twice-token-0123456789", "plain-token-0123456789"]
    private static let lines = """
        # the children's tablet
        \(user)   user
        \(admin)\tadmin
        \(all[0]) user admin
        \(all[1]) user
        \(all[1]) admin
          \(all[2])

        """

    private static func with(_ body: (RunningGateway, TemporaryFolder) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        let file = try folder.write(lines, to: "tokens")
        let settings = ["--token-file", file, "--data", folder.path]
        try await RunningGateway.with(isOpen: false, settings: settings) { try await body($0, folder) }
    }

    private static let nearby = NearbyRequest(centre: Coordinate(latitude: 1, longitude: 2))
    private static let places = "/waymark.places.v1.PlacesService/"
    /// Calls that change what all accounts share, by their paths.
    private static let changes = [
        "\(places)DeleteDataset", "\(places)BeginImport", "\(places)WriteImport",
        "/waymark.photos.v1.PhotoService/PutPhoto",
    ]
    private static let streams = ["\(places)RunImport", "/waymark.photos.v1.PhotoService/ScanPictures"]

    private static func bearer(_ token: String) -> [(String, String)] { [("Authorization", "Bearer \(token)")] }

    @Test("with the role user alone it searches, and imports, removals and scans get no further than the gateway")
    func userByRPC() async throws {
        try await Self.with { gateway, _ in
            let options = CallOptions(token: Self.user)
            let places = PlacesServiceClient(gateway.client)
            let refusals = [
                try await errorOf { try await places.deleteDataset(DeleteDatasetRequest(), options) },
                try await errorOf { try await places.beginImport(BeginImportRequest(), options) },
                try await errorOf { try await places.writeImport(WriteImportRequest(), options) },
                try await errorOf { for try await _ in places.runImport(RunImportRequest(), options) {} },
                try await errorOf {
                    let photos = PhotoServiceClient(gateway.client)
                    for try await _ in photos.scanPictures(ScanPicturesRequest(), options) {}
                },
            ]
            #expect(refusals.map { $0?.code } == Array(repeating: .permissionDenied, count: 5))
            #expect(
                refusals[0]?.message
                    == "waymark.places.v1.PlacesService/DeleteDataset needs the role admin; this caller has user")
            #expect(gateway.behind.contexts.isEmpty)
            #expect(try await places.nearby(Self.nearby, options).places.count == 3)
            let signed = try #require(gateway.behind.contexts.first?.signedIdentity)
            #expect(try Identity(packed: signed.identity).roles == [.user])
        }
    }

    @Test("the same over HTTP: 403 and the sentence")
    func userByHTTP() async throws {
        try await Self.with { gateway, _ in
            for path in Self.changes {
                let reply = try await gateway.http.call(path, "{}", Self.bearer(Self.user))
                #expect(reply.status == 403 && reply.failure?.code == "permission_denied", "\(path)")
                #expect(reply.text.contains("\(path.dropFirst()) needs the role admin; this caller has user"))
            }
            for path in Self.streams {
                let headers = Self.bearer(Self.user) + [("Content-Type", "application/connect+json")]
                let reply = try await gateway.http.ask("POST", path, headers, body: [0, 0, 0, 0, 2] + Array("{}".utf8))
                #expect(reply.text.contains("permission_denied"), "\(path)")
            }
            #expect(gateway.behind.contexts.isEmpty)
            let body = #"{"centre":{"latitude":1,"longitude":2}}"#
            #expect(try await gateway.http.call("\(Self.places)Nearby", body, Self.bearer(Self.user)).status == 200)
        }
    }

    @Test("the same by gRPC: its code and the sentence")
    func userByGRPC() async throws {
        try await Self.with { gateway, _ in
            let headers = Self.bearer(Self.user) + [("Content-Type", "application/grpc-web+proto")]
            for path in Self.changes + Self.streams {
                let reply = try await gateway.http.ask("POST", path, headers, body: [0, 0, 0, 0, 0])
                #expect(reply.status == 200 && reply.text.contains("grpc-status: 7"), "\(path): \(reply.text)")
                #expect(
                    reply.text.contains("\(path.dropFirst()) needs the role admin; this caller has user"), "\(path)")
            }
            #expect(gateway.behind.contexts.isEmpty)
        }
    }

    @Test("with the role admin alone it imports, and has no pins")
    func admin() async throws {
        try await Self.with { gateway, _ in
            let options = CallOptions(token: Self.admin)
            var count = 0
            for try await _ in PlacesServiceClient(gateway.client).runImport(RunImportRequest(), options) { count += 1 }
            #expect(count == 3)
            let pin = try await errorOf {
                try await PinServiceClient(gateway.client).createPin(CreatePinRequest(), options)
            }
            #expect(pin?.code == .permissionDenied)
            _ = try await EchoServiceClient(gateway.client).echo(EchoRequest(), options)
        }
    }

    @Test("with both, on one line or two, or with none named, it may do all")
    func all() async throws {
        try await Self.with { gateway, _ in
            for token in Self.all {
                let options = CallOptions(token: token)
                for try await _ in PlacesServiceClient(gateway.client).runImport(RunImportRequest(), options) {}
                let pin = try await PinServiceClient(gateway.client).createPin(CreatePinRequest(), options).pin
                #expect(pin?.name == "local")
            }
        }
    }

    @Test("a browser that a link let in has the roles of the link's token")
    func link() async throws {
        try await Self.with { gateway, folder in
            let secret = try LoginLinks(gatewayData: folder.path)
                .make(for: Self.user, at: WallClock.system.unixMilliseconds)
            let login = try await gateway.http.call("/session", #"{"link":"\#(secret)"}"#)
            let cookie = [("Cookie", try #require(login["set-cookie"]?.split(separator: ";").first).description)]
            let refused = try await gateway.http.call(Self.changes[0], "{}", cookie)
            #expect(refused.status == 403)
            #expect(try await gateway.http.call("/waymark.pins.v1.PinService/CreatePin", "{}", cookie).status == 200)
        }
    }

    @Test("a word after a token that is no role of an account is refused at the start, and not repeated")
    func badRole() throws {
        let folder = TemporaryFolder()
        for word in ["service", "anyone", "root", "Admin", "user,admin"] {
            let file = try folder.write("\(Self.user) \(word)\n", to: "tokens")
            let error = #expect(throws: AccessTokens.Problem.self) { try AccessTokens(file: file) }
            #expect(error?.description.hasSuffix("a word after its token that is no role; user and admin are") == true)
        }
    }
}
