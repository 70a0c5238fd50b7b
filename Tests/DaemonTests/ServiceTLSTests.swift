import Contracts
import EventLoops
import Glibc
import RPC
import TLS
import TestSupport
import TestTools
import Testing
import Wire

@Suite("A service with TLS", .timeLimit(.minutes(2)))
struct ServiceTLSTests {
    private let certificates: TestCertificates
    private let folder = TemporaryFolder()

    init() throws { certificates = try TestCertificates.shared.get() }

    private func service(_ name: String = "gateway", _ arguments: [String]) async throws -> ServiceProcess {
        let own = "\(folder.path)/\(name)"
        mkdir(own, 0o700)
        let http = name == "gateway" ? ["--http", "127.0.0.1:0"] : []
        return try await ServiceProcess.start(name, folder: own, ["--data", own] + http + arguments)
    }

    private func showing(_ pair: TestCertificates.Pair) -> [String] {
        ["--tls-certificate", pair.certificate, "--tls-key", pair.key]
    }

    private var trusting: TLSContext {
        get throws { try TLSContext(.client, .init(authorities: certificates.authority)) }
    }

    private func echo(_ endpoint: Endpoint, _ tls: TLSContext?) async throws -> RPCError? {
        try await TestClient.with(endpoint, tls: tls) { client in
            try await errorOf {
                try await EchoServiceClient(client).echo(EchoRequest(), CallOptions(timeout: .seconds(60)))
            }
        }
    }

    @Test("takes calls over it, is ready for --check, and notes who spoke plain text")
    func calls() async throws {
        let service = try await service("gateway", showing(certificates.server))
        #expect(try await echo(service.endpoint, trusting) == nil)
        let plain = try await echo(service.endpoint, nil)
        #expect(plain?.message.hasSuffix("this port speaks TLS") == true, "\(String(describing: plain))")
        let check = ["--check", "--listen", "\(service.endpoint)"] + showing(certificates.server)
        #expect(try await ProgramRun.run("gateway", check).code == 0)
        let end = try await service.end(by: SIGTERM)
        #expect(end.code == 0)
        let lines = end.errors.split(separator: "\n").filter { $0.contains("client was not let in") }
        #expect(lines.first?.contains("a client spoke plain text to the TLS port") == true)
        #expect(lines.first?.contains("\"address\":\"127.0.0.1:") == true)
    }

    @Test("calls the others over it, and shows them its certificate")
    func mutual() async throws {
        let wanting = TLSContext.Files(
            certificate: certificates.server.certificate, key: certificates.server.key,
            authorities: certificates.authority)
        // In place of the places service: that the call is not known there shows that it came there.
        try await TestServer.with(.echo(), tls: try TLSContext(.server, wanting)) { places in
            let peers = ["--tls-ca", certificates.authority, "--places", "\(places.endpoint)"]
            let gateway = try await service("gateway", showing(certificates.client) + peers)
            #expect(try await callThrough(gateway, trusting)?.code == .unimplemented)
            #expect(try await gateway.end(by: SIGTERM).code == 0)
            let nameless = try await service("gateway", peers)
            let error = try await callThrough(nameless, nil)
            #expect(error?.code == .unavailable)
            // Why concerns who runs it alone.
            #expect(error?.message == "the places service can't be reached now")
            let end = try await nameless.end(by: SIGTERM)
            #expect(end.code == 0 && end.errors.contains("certificate required"))
        }
    }

    private func callThrough(_ gateway: ServiceProcess, _ tls: TLSContext?) async throws -> RPCError? {
        try await TestClient.with(gateway.endpoint, tls: tls) { client in
            try await errorOf {
                try await PlacesServiceClient(client).listDatasets(
                    ListDatasetsRequest(), CallOptions(timeout: .seconds(60)))
            }
        }
    }

    @Test("reads its certificate again on SIGHUP, and keeps the old one when the new can't be used")
    func reload() async throws {
        func put(_ certificate: String, _ key: String) throws {
            try folder.write(certificate, to: "c")
            try folder.write(key, to: "k")
        }
        func put(_ pair: TestCertificates.Pair) throws {
            try put(WholeFile.text(pair.certificate), WholeFile.text(pair.key))
        }
        try put(certificates.stranger)
        let service = try await service("gateway", showing(.init(certificate: folder.file("c"), key: folder.file("k"))))
        let program = service.program
        #expect(try await echo(service.endpoint, trusting)?.code == .unavailable)
        try put(certificates.server)
        program.send(signal: SIGHUP)
        #expect(await eventually { program.hasSaid("certificates were read again") })
        #expect(try await echo(service.endpoint, trusting) == nil)
        try put("broken", "broken")
        program.send(signal: SIGHUP)
        #expect(await eventually { program.hasSaid("certificates stay as they were") })
        #expect(try await echo(service.endpoint, trusting) == nil)
        let end = try await service.end(by: SIGTERM)
        #expect(end.code == 0)
        let lines = end.errors.split(separator: "\n").filter { $0.contains("certificates stay") }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("\(folder.file("c")) can't be used for the TLS certificate: ") == true)
    }

    @Test("speaks HTTPS with a certificate of its own for that, which SIGHUP reads again")
    func web() async throws {
        func put(_ pair: TestCertificates.Pair) throws {
            try folder.write(try WholeFile.text(pair.certificate) + WholeFile.text(pair.key), to: "web")
        }
        let browser = try TLSContext(.client, .init(authorities: certificates.authority), for: .web)
        func live(_ port: UInt16) async throws -> Int {
            try await HTTPSocket(connectingTo: port, tls: browser).ask("GET", "/settings.json").status
        }
        try put(certificates.stranger)
        let files = ["--http-tls-certificate", folder.file("web"), "--http-tls-key", folder.file("web")]
        let service = try await service("gateway", files)
        let port = try #require(service.http?.port)
        await #expect(throws: TLSError.self) { try await live(port) }
        try put(certificates.server)
        service.program.send(signal: SIGHUP)
        let program = service.program
        #expect(await eventually { program.hasSaid("certificates were read again") })
        #expect(try await live(port) == 200)
        // Calls stay as they were.
        #expect(try await echo(service.endpoint, nil) == nil)
        #expect(try await service.end(by: SIGTERM).code == 0)
    }

    @Test("does not start with settings that can't be, and says which")
    func settings() async throws {
        let pair = certificates.server
        let cases: [([String], Int32, String)] = [
            (["--tls-certificate", pair.certificate], 2, "--tls-certificate needs --tls-key"),
            (["--tls-key", pair.key], 2, "--tls-key needs --tls-certificate"),
            (["--http-tls-certificate", pair.certificate], 2, "--http-tls-certificate needs --http-tls-key"),
            (["--tls-client-ca", certificates.authority], 2, "--tls-client-ca needs --tls-certificate"),
            (
                ["--tls-client-certificate", pair.certificate, "--tls-client-key", pair.key], 2,
                "--tls-client-certificate needs --tls-ca"
            ),
            (
                ["--tls-certificate", folder.file("none"), "--tls-key", pair.key], 1,
                "\(folder.file("none")) can't be used for the TLS certificate: No such file or directory"
            ),
        ]
        let key = try folder.write(ServiceProcess.key, to: "key")
        for (arguments, code, sentence) in cases {
            let end = try await ProgramRun.run("gateway", ["--listen", "127.0.0.1:0", "--key-file", key] + arguments)
            #expect(end.code == code)
            #expect(end.errors.contains("gateway: \(sentence)"), "\(end.errors)")
        }
    }
}
