import AccountContracts
import Daemon
import EventLoops
import Glibc
import RPC
import Budgets
import TestSupport
import TestTools
import Testing

@Suite("P30 A message that was acknowledged is sent", .timeLimit(.minutes(2)))
struct MailKillTests {
    @Test("after the service was killed with -9 while it was being sent, with a code that is good")
    func killed() async throws {
        let (server, nowhere) = (try await SMTPServer(["hang", "ok"]), try ClosedPort())
        try await TemporaryFolder.with { folder in
            let place = try PostgresServer.place(of: "\(folder)/data/pins.db")
            func start() async throws -> ServiceProcess {
                try await ServiceProcess.start(
                    "pin-service", folder: folder,
                    [
                        "--data", "\(folder)/data", "--database", place.address, "--database-schema", place.schema,
                        "--replica", "one", "--loops", "1", "--log-level", "error", "--sign-up", "open",
                        "--places", "\(nowhere.endpoint)", "--photos", "\(nowhere.endpoint)", "--public-url",
                        "https://map.example.org", "--mail-from", "waymark@example.org", "--smtp-url",
                        "smtp://127.0.0.1:\(server.port)",
                    ])
            }
            let first = try await start()
            try await TestClient.with(first.endpoint) { client in
                let account = SignUpRequest(email: "ann@example.org", password: "correct horse")
                _ = try await AccountServiceClient(client).signUp(account, try Self.stranger)
                let request = RequestPasswordResetRequest(email: "ann@example.org")
                _ = try await AccountMailServiceClient(client).requestPasswordReset(request, try Self.stranger)
            }
            let hanging = try await server.message()
            #expect(!hanging.isTaken)
            #expect(try await first.end(by: SIGKILL).code == 128 + SIGKILL)
            let second = try await start()
            let message = try await server.message()
            #expect(message.isTaken && message.recipients == ["ann@example.org"])
            try await TestClient.with(second.endpoint) { client in
                let accounts = AccountServiceClient(client)
                for (message, isGood) in [(hanging, false), (message, true)] {
                    let code = try #require(message.secret(behind: "https://map.example.org/#/reset/"))
                    let request = ResetPasswordRequest(code: code, password: "another one")
                    let error = try await errorOf { try await accounts.resetPassword(request, try Self.stranger) }
                    #expect((error == nil) == isGood)
                }
            }
            #expect(try await second.end(by: SIGTERM).code == 0)
        }
    }

    /// What a stranger's call is made with, as the gateway makes it.
    private static var stranger: CallOptions {
        get throws {
            let key = try #require(DeploymentKey(bytes: Hex.bytes(ServiceProcess.key)))
            let signed = IdentitySigner(key).sign(.stranger(ClientKey("192.0.2.1")))
            return CallOptions(deadline: .now + .seconds(60), signedIdentity: signed)
        }
    }
}
