import AccountContracts
import EventLoops
import HTTPClient
import LoginProviders
import RPC
import TestSupport
import TestTools
import Testing

@testable import Accounts

/// The services of accounts with a login provider, which a simulator plays.
struct ProviderVisit {
    static let secret = String(repeating: "b", count: 43)

    let service: RunningAccounts
    let simulator: ProviderSimulator
    private let http: HTTPClient

    /// - Parameter members: what the operator's file says of the provider besides what it must, as JSON.
    static func with(
        _ members: String = #""sign_up":true"#, takesPasswords: Bool = true,
        _ body: (ProviderVisit) async throws -> Void
    ) async throws {
        try await ProviderSimulator.with { simulator, _ in
            let loop = try EventLoop(name: "providers")
            let http = HTTPClient(loop: loop, agent: "waymark/test")
            let result: Result<Void, any Error>
            do {
                let folder = TemporaryFolder()
                try folder.write(ProviderSimulator.secret, to: "secret")
                let own = #""name":"home","label":"Home","client_id":"waymark","client_secret_file":"secret""#
                let base = simulator.base
                let file = try folder.write(
                    #"{"providers":[{\#(own),"issuer":"\#(base)",\#(members.replacing("BASE", with: base))}]}"#,
                    to: "providers.json")
                let agents = try ProviderFile.read(file).map { ProviderAgent($0, http) }
                try await RunningAccounts.with(
                    folder: folder.path, agents: agents, takesPasswords: takesPasswords
                ) { service in
                    try await body(ProviderVisit(service: service, simulator: simulator, http: http))
                }
                result = .success(())
            } catch {
                result = .failure(error)
            }
            await http.close()
            try await BlockingCalls.run { loop.shutDown() }
            try result.get()
        }
    }

    private init(service: RunningAccounts, simulator: ProviderSimulator, http: HTTPClient) {
        self.service = service
        self.simulator = simulator
        self.http = http
    }

    /// What the browser brings back from an address to which it was sent.
    func agree(at address: String, browser: String = secret) async throws -> FinishLoginRequest {
        let answer = try await http.send(HTTPClientRequest(url: address))
        let location = try #require(answer.headers["location"])
        #expect(location.hasPrefix("https://map.example.org/session/provider/home/callback?"))
        let pairs = location.split(separator: "?")[1].split(separator: "&").map { $0.split(separator: "=") }
        let fields = Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), String($0[1])) })
        return FinishLoginRequest(
            provider: "home", browser: browser, state: fields["state"] ?? "", code: fields["code"] ?? "",
            issuer: fields["iss"] ?? "", error: fields["error"] ?? "")
    }

    func begin(browser: String = secret, former: [UInt8] = []) async throws -> String {
        let request = BeginLoginRequest(
            provider: "home", browser: browser, device: "Firefox", formerSession: former)
        return try await service.providers.beginLogin(request, service.from()).address
    }

    func finish(_ request: FinishLoginRequest) async throws -> FinishLoginResponse {
        try await service.providers.finishLogin(request, service.from())
    }

    /// The session of a whole login.
    func logIn() async throws -> NewSession {
        try #require(try await finish(try await agree(at: try await begin())).session)
    }

    /// The whole way to link an identity, by an account with one of its sessions.
    func link(_ session: NewSession) async throws -> LinkedIdentity {
        let request = BeginLinkRequest(provider: "home", browser: Self.secret)
        let address = try await service.providers.beginLink(request, try await options(session)).address
        return try #require(try await finish(try await agree(at: address)).linked)
    }

    /// Options of a call with a session, as the gateway makes them.
    func options(_ session: NewSession) async throws -> CallOptions {
        let found = try #require(try await service.check(session.token))
        return service.of(found.account, session: found.session)
    }
}
