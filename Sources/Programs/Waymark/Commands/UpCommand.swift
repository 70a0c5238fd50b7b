import Arguments
import EventLoops
import Glibc
import Settings
import Supervisor
import Terminal

/// `waymark up`: the four services as processes under this one.
struct UpCommand: CommandBody {
    static let syntax = CommandSyntax(
        words: ["up"], summary: "start all of Waymark here, and keep it running until Ctrl-C",
        flags: [
            Flag("data", "DIR", "where everything is kept; ~/.local/share/waymark when not given"),
            Flag("port", "N", "the gateway's port, 0 for a free one; \(ClientOptions.defaultPort) when not given"),
            Flag(
                "http-port", "N", "the port of the map and of HTTP, 0 for a free one; \(defaultWebPort) when not given"),
            Flag(
                "admin-port", "N",
                "the gateway's port for /metrics, the next three for the others', 0 for free ones; 0 when not given"),
            Flag(
                "host", "HOST",
                "where the gateway listens, 0.0.0.0 for all networks; 127.0.0.1, this machine alone, when not given"),
            Flag(
                "token-file", "PATH",
                "tokens that let clients in, one a line; DIR/token, made once, when HOST is reached by others"
                    + " (WAYMARK_TOKEN_FILE)"),
            Flag(
                "open",
                "let everybody who reaches the gateway in, as one shared profile; on loopback it is so by itself"),
            Flag(
                "tls-certificate", "FILE", "the map by https, with this certificate (PEM; WAYMARK_HTTP_TLS_CERTIFICATE)"
            ),
            Flag("tls-key", "FILE", "the certificate's key (PEM; WAYMARK_HTTP_TLS_KEY)"),
            Flag(
                "tls",
                "the map by https, with a certificate that is made here; so by itself where HOST is reached by others"
                    + " and no proxy is named"),
            Flag("no-tls", "the map by plain http, where it would be https"),
            Flag("pictures", "DIR", "a folder with pictures, which pins take their photos from; never written to"),
            OnlineNetworks.flag,
            Flag("bin-dir", "DIR", "where the services' programs are; next to this one by default"),
            Flag("verbose", "the services' logs go to standard error instead of DIR/logs"),
        ] + UpBackups.flags + UpBlobs.flags + PassedFlags.all,
        examples: [
            "up", "up --online me@example.org", "up --pictures ~/Pictures", "up --host 0.0.0.0",
            "up --data ./mine --port 0 --json",
        ])

    static let defaultWebPort: UInt16 = 7780
    private let folder: UpFolder
    private let endpoint: Endpoint
    private let web: Endpoint
    private let pictures: String?
    private let programs: String?
    private let adminPort: UInt16
    private let isOpen: Bool
    private let isVerbose: Bool
    private let tokenFile: String?
    private let publicURL: String?
    private let encryption: UpEncryption
    private let passed: PassedFlags
    private let online: OnlineNetworks?
    private let backups: UpBackups?
    private let blobs: UpBlobs

    init(_ arguments: ParsedArguments) throws(UsageError) {
        endpoint = Endpoint(
            host: arguments.text("host") ?? "127.0.0.1", port: try arguments.count("port") ?? ClientOptions.defaultPort)
        // When any free port will do for calls, one is used for the map too.
        let webPort = try arguments.count("http-port") ?? (endpoint.port == 0 ? 0 : Self.defaultWebPort)
        web = Endpoint(host: endpoint.host, port: webPort)
        adminPort = try arguments.count("admin-port") ?? 0
        guard adminPort <= UInt16.max - 3 else {
            throw UsageError("--admin-port is \(adminPort), allowed is 0 to \(UInt16.max - 3): three more follow it")
        }
        folder = try UpFolder(arguments)
        pictures = arguments.text("pictures")
        programs = arguments.text("bin-dir")
        isOpen = arguments.has("open")
        isVerbose = arguments.has("verbose")
        tokenFile = arguments.text("token-file") ?? arguments.environment["WAYMARK_TOKEN_FILE"]
        publicURL = arguments.text("public-url") ?? arguments.environment["WAYMARK_PUBLIC_URL"]
        encryption = try UpEncryption(
            arguments, isForOthers: !Endpoint.isLoopback(endpoint.host), hasProxy: publicURL != nil)
        passed = PassedFlags(arguments)
        online = OnlineNetworks(arguments)
        backups = try UpBackups(arguments, of: folder)
        blobs = try UpBlobs(arguments)
    }

    func run(_ session: Session) async throws -> ExitCode {
        let signals = try StopSignals()
        let pictures = try pictures.map { try ReadableFolder($0, flag: "--pictures").path }
        let programs = try ProgramFolder(programs)
        _ = try plan(programs, pictures, nil, nil).services()
        let lock = try folder.open(ServiceSettings.all.map(\.name))
        try blobs.take(folder)
        let access = try UpAccess(host: endpoint.host, tokenFile: tokenFile, isOpen: isOpen, folder: folder)
        let certificate = try encryption.certificate(for: endpoint.host, publicURL, in: folder)
        let services = try plan(programs, pictures, access.tokenFile, certificate).services()
        folder.putAsideLogs(of: services.map(\.name))
        let report = UpReport(
            session: session, folder: folder, pictures: pictures, access: access, certificate: certificate,
            publicURL: publicURL, online: online)
        let supervisor = try Supervision(services, signals: signals) { event in
            report.show(event, link: report.link(event), processID: getpid())
        }
        let thread = BlockingPool(threadCount: 1, name: "supervisor")
        try await thread.run { [endpoint, web] in
            try PortCheck.check(endpoint, flag: "--port")
            try PortCheck.check(web, flag: "--http-port")
        }
        if !session.wantsJSON {
            session.console.remark("Starting the services; the first time takes a little longer.")
        }
        async let _: Void? = backups?.run(session.console)
        let outcome = try await thread.run { try supervisor.run() }
        withExtendedLifetime(lock) {}
        if let failure = outcome.failure(of: services) { throw failure }
        return .success
    }

    private func plan(
        _ programs: ProgramFolder, _ pictures: String?, _ tokenFile: String?, _ certificate: UpCertificate?
    ) -> UpPlan {
        UpPlan(
            folder: folder, programs: programs, gatewayAddress: "\(endpoint)", webAddress: "\(web)",
            adminPort: adminPort, isOpen: isOpen, isVerbose: isVerbose, pictures: pictures, tokenFile: tokenFile,
            certificate: certificate, passed: passed,
            more: Dictionary(uniqueKeysWithValues: ServiceSettings.all.map { ($0.name, blobs.flags(of: $0)) }))
    }
}
