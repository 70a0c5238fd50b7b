import Contracts
import Crypto
import Daemon
import EventLoops
import FoundationEssentials
import RPC
import TestSupport
import TestTools
import Testing

/// All services, the accounts of Anna and Bob, and what Anna has.
struct ScopeWorld: Sendable {
    static let beginImport =
        #"{"dataset":"scope","fileName":"a.csv","byteCount":"\#(table.utf8.count)","requestId":"anna-import"}"#
    static let createPin = #"{"position":{"latitude":10,"longitude":10},"requestId":"anna-pin"}"#
    static let createPost =
        #"{"position":{"latitude":60.1,"longitude":24.7},"place":"Here","link":"example.org","requestId":"anna-post"}"#
    private static let table = "id,name,lat,lon\n1,Tower,60.1234,24.7654\n2,Bridge,60.1236,24.7656\n"
    /// Where Anna's pin is, what it is called, and what her map shows: nobody else says these.
    private static let (latitude, longitude) = (60.1231111, 24.7652222)
    private static let (name, region) = ("where anna lives", 47.1234567)

    let processes: ScopeProcesses
    /// Calls the gateway.
    let client: RPCClient
    let gateway: ScopeDoor
    /// The same for clients of gRPC.
    let grpc: ScopeDoor
    let services: [ScopeDoor]
    /// What Anna has.
    let things: ScopeThings
    /// What only Anna may be told.
    let marks: [String]
    let anna: ScopeCaller
    let bob: ScopeCaller
    /// Of sessions of Anna's that were revoked, and that nobody has used in time.
    let ended: [ScopeCaller]

    var servers: [ScopeDoor] { [gateway] + services }
    /// The servers, and the gateway once more by gRPC.
    var doors: [ScopeDoor] { servers + [grpc] }

    /// An administrator: the bearer of the operator's token.
    let root = ScopeCaller("root", .account("local", .ofAccounts), token: ScopeProcesses.operatorToken)

    /// Starts all, makes what Anna has, and runs `body`.
    static func with(_ body: (ScopeWorld) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try await HTTPFixture.with {
                ScopeLibrary.answer($0)
            } _: { _, library in
                try await ScopeProcesses.with(folder: folder, library: library) { processes in
                    try await TestClient.with(processes.gateway.endpoint) { gateway in
                        try await TestClient.with(processes.places.endpoint) { places in
                            try await TestClient.with(processes.pins.endpoint) { pins in
                                try await TestClient.with(processes.photos.endpoint) { photos in
                                    let clients = [("places", places), ("pins", pins), ("photos", photos)]
                                    try await body(try await ScopeWorld(processes, gateway, clients))
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private init(_ processes: ScopeProcesses, _ client: RPCClient, _ clients: [(String, RPCClient)]) async throws {
        let maker = ScopeMaker(client)
        let (anna, bob) = (try await maker.signUp("anna"), try await maker.signUp("bob"))
        var things = ScopeThings(account: anna.account.id, email: anna.account.email)
        things.importID = try await maker.importPlaces(Self.table, Self.beginImport)
        let numbers = [Self.latitude, Self.longitude, Self.region].map { "\($0)" }
        var marks = [things.account, things.email, Self.name] + numbers
        let ended = try await maker.endSessions(of: anna) { try await processes.expire(session: $0) }
        try await maker.make(&things, as: anna, at: (Self.latitude, Self.longitude), named: Self.name)
        things.passkey = try await maker.makePasskey(as: anna)
        marks += try await maker.marks(of: anna, region: Self.region)
        marks += [things.pin, things.photo, things.libraryPhoto, things.upload, things.passkey]
        marks += [things.share, things.shareToken, things.list, things.grant]
        try await maker.makePin(as: bob)
        things.endedToken = ended[0]
        self.processes = processes
        self.client = client
        gateway = try await ScopeDoor("gateway", client)
        grpc = ScopeDoor(gateway, by: ScopeGRPC(port: processes.gateway.http?.port ?? 0))
        var services: [ScopeDoor] = []
        for (name, client) in clients { services.append(try await ScopeDoor(name, client)) }
        (self.services, self.things, self.marks) = (services, things, marks)
        self.anna = anna.caller
        self.bob = bob.caller
        self.ended = [.ended("a revoked session", ended[0]), .ended("an expired session", ended[1])]
    }
}
