import TLS
import TestTools
import Testing

@testable import Waymark

@Suite("waymark over TLS", .timeLimit(.minutes(3)))
struct TLSTests {
    private let certificates: TestCertificates
    private let gateway: TestGateway

    init() throws {
        certificates = try TestCertificates.shared.get()
        let files = TLSContext.Files(
            certificate: certificates.server.certificate, key: certificates.server.key,
            authorities: certificates.authority)
        gateway = TestGateway(tls: try TLSContext(.server, files))
    }

    private var flags: [String] {
        [
            "--tls-ca", certificates.authority, "--tls-client-certificate", certificates.client.certificate,
            "--tls-client-key", certificates.client.key,
        ]
    }

    @Test("calls with the files that flags name")
    func calls() async throws {
        try await gateway.run { run in
            let (code, screen) = await run(["call", "EchoService/Echo"] + flags)
            #expect(code == .success)
            #expect(screen.output == "{}\n")
        }
    }

    @Test("is told why a certificate is missing or refused")
    func refused() async throws {
        try await gateway.run { run in
            let (code, screen) = await run("call", "EchoService/Echo", "--tls-ca", certificates.authority)
            #expect(code != .success)
            #expect(screen.messages.contains("certificate required"))
            let plain = await run("call", "EchoService/Echo")
            #expect(plain.screen.messages.contains("this port speaks TLS"))
            let other = await run("call", "EchoService/Echo", "--tls-ca", certificates.stranger.certificate)
            #expect(other.screen.messages.contains("its certificate is refused: "))
        }
    }

    @Test("says which setting is missing, and which file can't be used")
    func settings() async throws {
        try await gateway.run { run in
            let lonely = await run(["call", "EchoService/Echo"] + flags.dropLast(2))
            #expect(lonely.code == .usage)
            #expect(lonely.screen.messages.contains("--tls-client-certificate needs --tls-client-key"))
            let absent = await run("call", "EchoService/Echo", "--tls-ca", "/nowhere")
            #expect(absent.code == .usage)
            #expect(absent.screen.messages.contains("/nowhere can't be used for the TLS authorities: No such file"))
        }
    }

    @Test("takes the same from the environment")
    func environment() async throws {
        try await gateway.run { run in
            let screen = Screen()
            let environment = [
                "WAYMARK_TARGET": run.target, "WAYMARK_TLS_CA": certificates.authority,
                "WAYMARK_TLS_CLIENT_CERTIFICATE": certificates.client.certificate,
                "WAYMARK_TLS_CLIENT_KEY": certificates.client.key,
            ]
            let program = Program(console: screen.console(), environment: environment)
            #expect(await program.run(["call", "EchoService/Echo"]) == .success)
        }
    }
}
