import Contracts
import EventLoops
import FoundationEssentials
import Glibc
import RPC
import TestSupport
import TestTools
import Testing

/// All services as processes of their own, with accounts.
struct AttackedSystem: Sendable {
    let http: Endpoint
    /// At pin-service's own port, as the gateway calls it.
    let pins: RPCClient

    static func with(_ body: (AttackedSystem) async throws -> Void) async throws {
        let folder = TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        try folder.write(AttackedGateway.token, to: "tokens")
        func start(_ name: String, _ arguments: [String]) async throws -> ServiceProcess {
            try await ServiceProcess.start(
                name, folder: folder.path, ["--data", folder.file(name), "--log-level", "error"] + arguments)
        }
        let places = try await start("places-service", ["--bundled", "none"])
        let photos = try await start("photo-service", ["--pictures", Self.pictures])
        try await TestClient.with(photos.endpoint) { client in
            let scans = PhotoServiceClient(client).scanPictures(
                ScanPicturesRequest(), ServiceProcess.options(of: "root"))
            for try await _ in scans {}
        }
        let peers = ["--places", "\(places.endpoint)", "--photos", "\(photos.endpoint)"]
        let pins = try await start("pin-service", peers + ["--sign-up", "open"])
        let gateway = try await start(
            "gateway",
            peers + [
                "--pins", "\(pins.endpoint)", "--http", "127.0.0.1:0", "--token-file", folder.file("tokens"),
                "--web", "none", "--map", "none", "--rate", "0",
            ])
        try await TestClient.with(pins.endpoint) { client in
            try await body(AttackedSystem(http: try #require(gateway.http), pins: client))
        }
        for process in [gateway, pins, photos, places] {
            #expect(try await process.end(by: SIGTERM).code == 0, "it lives, and stops when it is asked to")
        }
    }

    private static let repository = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }
    /// Pictures of the middle of Helsinki.
    private static let pictures = repository + "/Data/postcards"

    /// Makes an account.
    func signUp(_ name: String, from address: UInt8) async throws -> Person {
        var person = Person(http: http, name: name, address: address)
        let reply = try await person.call("waymark.accounts.v1.AccountService/SignUp", person.secret)
        try #require(reply.status == 200, "\(reply.text)")
        (person.token, person.account) = try Person.session(reply)
        return person
    }

    /// Sends a file of pins.
    func send(_ bytes: [UInt8], name: String, of account: String) async throws -> String {
        let (files, options) = (PinFileServiceClient(pins), ServiceProcess.options(of: account))
        let start = StartPinImportRequest(fileName: name, byteCount: UInt64(bytes.count))
        let id = try #require(try await files.startPinImport(start, options).import?.id)
        for offset in stride(from: 0, to: bytes.count, by: 1 << 20) {
            let data = Array(bytes[offset..<min(bytes.count, offset + 1 << 20)])
            _ = try await files.addPinImportPart(
                AddPinImportPartRequest(id: id, offset: UInt64(offset), data: data), options)
        }
        return id
    }

    /// Has it read; gives how many pins were added.
    func run(_ id: String, isTrial: Bool = false, of account: String) async throws -> Int {
        let request = RunPinImportRequest(id: id, isTrial: isTrial)
        for try await event in PinFileServiceClient(pins).runPinImport(request, ServiceProcess.options(of: account)) {
            if case .import(let end) = event.event { return Int(end.addedCount) }
        }
        return 0
    }
}

/// An account's owner, who calls from an address of their own.
struct Person: Sendable {
    private struct Answer: Decodable {
        struct Session: Decodable {
            struct Account: Decodable { let id: String }
            let token: String
            let account: Account
        }
        struct Named: Decodable {
            let id: String
            let path: String?
        }
        let session: Session?
        let pin: Named?
        let share: Named?
    }

    let http: Endpoint
    let name: String
    /// The last number of it.
    let address: UInt8
    var token = ""
    var account = ""

    /// What one types to log in.
    var secret: String { #"{"email":"\#(name)@example.org","password":"correct horse of \#(name)"}"# }

    func connect() async throws -> HTTPSocket { try await HTTPSocket(connectingTo: http.port, client: address) }

    /// Calls, on a connection of its own or on one that is open.
    func call(_ method: String, _ json: String, on socket: HTTPSocket? = nil) async throws -> HTTPReply {
        var open = socket
        if open == nil { open = try await connect() }
        let fields = [("Content-Type", "application/json")] + bearer
        return try await #require(open).ask("POST", "/\(method)", fields, body: Array(json.utf8))
    }

    func get(_ path: String) async throws -> HTTPReply { try await connect().ask("GET", path, bearer) }

    var bearer: [(String, String)] { token.isEmpty ? [] : [("Authorization", "Bearer \(token)")] }

    func logIn() async throws -> HTTPReply {
        var stranger = self
        stranger.token = ""
        return try await stranger.call("waymark.accounts.v1.AccountService/LogIn", secret)
    }

    /// Makes a pin; gives its id.
    func createPin() async throws -> String {
        let reply = try await call(
            "waymark.pins.v1.PinService/CreatePin",
            #"{"position":{"latitude":60.17,"longitude":24.94},"radiusM":5000,"name":"Home"}"#)
        return try #require(try Self.answer(reply).pin, "\(reply.text)").id
    }

    func share(_ pin: String, password: String, on socket: HTTPSocket? = nil) async throws -> HTTPReply {
        try await call(
            "waymark.shares.v1.ShareService/CreateShare", #"{"pinId":"\#(pin)","password":"\#(password)"}"#, on: socket)
    }

    func open(_ link: String, password: String, on socket: HTTPSocket? = nil) async throws -> HTTPReply {
        try await call(
            "waymark.gateway.v1.SharedService/GetSharedPin", #"{"token":"\#(link)","password":"\#(password)"}"#,
            on: socket)
    }

    static func session(_ reply: HTTPReply) throws -> (token: String, account: String) {
        let session = try #require(try answer(reply).session, "\(reply.text)")
        return (session.token, session.account.id)
    }

    /// The last part of the link that was made.
    static func link(_ reply: HTTPReply) throws -> String {
        let path = try #require(try answer(reply).share?.path, "\(reply.text)")
        return String(path.dropFirst("/s/".count))
    }

    private static func answer(_ reply: HTTPReply) throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: Data(reply.body))
    }
}
