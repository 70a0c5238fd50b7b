import Arguments
import Budgets
import BaseContracts
import EventLoops
import Glibc
import RPC
package import Settings
import Wire

/// The main of a service: settings, key, loops, server, ready line, graceful stop.
package struct ServiceProgram: Sendable {
    package static let version = Release.version

    private static let drainTime: Duration = .seconds(15)
    private let settings: ServiceSettings
    private let prepare: @Sendable () throws -> Void
    private let tryData: DataTry
    private let start: @Sendable (Runtime) async throws -> StartedService

    /// - Parameters:
    ///   - prepare: what has to be done before the service is confined, and before it has threads.
    ///   - tryData: opens the data as a start does and closes it again; gives what is wrong with it, in sentences.
    package init(
        _ settings: ServiceSettings, prepare: @escaping @Sendable () throws -> Void = {},
        tryData: @escaping DataTry = { _, _ in [] },
        start: @escaping @Sendable (Runtime) async throws -> StartedService
    ) {
        self.settings = settings
        self.prepare = prepare
        self.tryData = tryData
        self.start = start
    }

    package typealias DataTry = @Sendable (Runtime, TryScope) async throws -> [String]

    private var name: String { settings.program }

    /// Runs until a signal comes; returns the process's exit code.
    package func main() async -> Int32 {
        do {
            return try await main(
                Options(
                    settings.common + settings.own, arguments: Array(CommandLine.arguments.dropFirst()),
                    environment: Environment.ofProcess))
        } catch {
            writeAll("\(name): \(error)\n", to: STDERR_FILENO)
            return error is OptionError ? 2 : 1
        }
    }

    private func main(_ options: Options) async throws -> Int32 {
        if options.isSet("--help") { return say(help) }
        if let which = options["--settings"] {
            return say(Option.table(which == "own" ? settings.own : settings.common))
        }
        if options.isSet("--version") { return say("\(name) \(Self.version)") }
        if options["--try"] != nil { return try await attempt(options) }
        return options.isSet("--check") ? try await check(options) : try await run(options)
    }

    private func run(_ options: Options) async throws -> Int32 {
        DescriptorLimit.raise()
        try prepare()
        let confinement = try Confinement.apply(options)
        // Whatever makes a file: what a service keeps is for no other user of the machine to read.
        umask(0o077)
        let signals = try Signals()
        if options["--lifeline"] != nil {
            signals.stopAtEnd(of: Int32(try options.integer("--lifeline")))
        }
        let runtime = try runtime(options)
        runtime.certificates.add(runtime.tls.contexts)
        takeHangUps(signals, runtime)
        runtime.log.info(
            "starting", ["settings": options.printable.map { "\($0.flag)=\($0.value)" }.joined(separator: " ")])
        runtime.log.info("confined", ["holds": confinement])
        runtime.warnOfReadableKey()
        let health = ServingHealth()
        let admin = try await AdminDoor.open(runtime, health)
        let started = try await start(runtime)
        health.name(Set(started.services.map { type(of: $0).serviceName }))
        let monitor = ServerMonitor(service: name, loops: runtime.loops, health: health)
        let router = Self.router(started, health, monitor)
        let metrics = CallMetrics(router.methods, runtime.loops)
        let server = server(router, runtime, started, metrics)
        monitor.watch(server, metrics)
        runtime.metrics.add { monitor.families }
        runtime.metrics.add { runtime.memory.families }
        runtime.addClientMetrics()
        let address = try await listen(server, runtime)
        let door = try await started.open(server)
        takeHangUps(signals, runtime)
        health.set(.serving)
        announce(address, [door, admin].compactMap(\.self))
        runtime.log.info("ready", ["address": "\(address)"])
        await signals.wait()
        runtime.log.info("stopping")
        health.stop()
        started.leave()
        async let closed: Void? = door?.close(grace: Self.drainTime)
        await server.shutDown(grace: Self.drainTime)
        await closed
        await started.stop()
        // Last, so that it can be asked while the others are being waited for.
        await admin?.close(grace: .zero)
        metrics.write(to: runtime.log)
        runtime.log.info("stopped")
        runtime.log.close()
        return 0
    }

    private func runtime(_ options: Options) throws -> Runtime {
        let level = options["--log-level"] ?? "info"
        guard let logLevel = Log.Level(level) else {
            throw OptionError("--log-level is \(level), one of debug, info, warning, error is needed")
        }
        return Runtime(
            options: options,
            loops: try EventLoopGroup(count: try options.integer("--loops")),
            blocking: BlockingPool(threadCount: 4, maximumOfClient: 3),
            log: Log(service: name, level: logLevel),
            key: try DeploymentKey(file: try options.required("--key-file")),
            name: name,
            tls: try ServiceTLS(options),
            memory: try MemorySetting.budget(options))
    }

    /// Where there are certificates SIGHUP reads them again; else it ends the process, as usual.
    private func takeHangUps(_ signals: Signals, _ runtime: Runtime) {
        guard !runtime.certificates.isEmpty else { return }
        signals.onHangUp { runtime.certificates.reload(runtime.log) }
    }

    private static func router(_ started: StartedService, _ health: ServingHealth, _ monitor: ServerMonitor) -> Router {
        let services: [any RPCService] = started.services + [EchoHandler(), health, StatsHandler(monitor)]
        var router = Router(services)
        started.register(&router)
        ReflectionHandler(router.methods).register(in: &router)
        GRPCHealthHandler(health: health).register(in: &router)
        GRPCReflectionHandler(router.methods).registerAll(in: &router)
        return router
    }

    private func server(
        _ router: Router, _ runtime: Runtime, _ started: StartedService, _ metrics: CallMetrics
    ) -> Server {
        let admission = started.admission ?? IdentityCheck(runtime.key)
        let interceptors: [any ServerInterceptor] = [Tracing(), admission, metrics, CallLog(runtime.log)]
        return Server(
            router, group: runtime.loops, interceptors: interceptors, tls: runtime.tls.server, memory: runtime.memory,
            newcomers: .stranger, agent: "\(name) \(Release.version)", data: started.data)
    }

    /// Binds the first address that the name of `--listen` has.
    private func listen(_ server: Server, _ runtime: Runtime) async throws -> SocketAddress {
        try await runtime.listen("--listen") { address throws(SystemError) in try await server.listen(on: address) }
    }

    private func announce(_ address: SocketAddress, _ doors: [any ServiceDoor]) {
        var line = JSONLine()
        line.add("event", "ready")
        line.add("service", name)
        line.add("address", "\(address)")
        for door in doors { line.add(door.name, "\(door.address)") }
        line.add("pid", number: Int64(getpid()))
        writeAll(line.finished + "\n", to: STDOUT_FILENO)
    }
}

// MARK: --try, --check, --help

extension ServiceProgram {
    private static let checkTimeout: Duration = .seconds(3)

    /// Prints what is wrong with the data, a line each; 0 when nothing is.
    private func attempt(_ options: Options) async throws -> Int32 {
        guard let scope = options["--try"].flatMap(TryScope.init) else {
            throw OptionError("--try is \(options["--try"] ?? ""), all, records or move is needed")
        }
        if options["--lifeline"] != nil { Signals.dieAtEnd(of: Int32(try options.integer("--lifeline"))) }
        _ = try Confinement.apply(options)
        umask(0o077)
        let faults = try await tryData(try runtime(options), scope)
        for fault in faults { _ = say(fault) }
        return faults.isEmpty ? 0 : 1
    }

    /// Asks the service at `--listen` whether it serves; 0 when it does.
    private func check(_ options: Options) async throws -> Int32 {
        let own = try options.endpoint("--listen")
        let host = ["0.0.0.0", "::"].contains(own.host) ? "localhost" : own.host
        let client = RPCClient(
            Endpoint(host: host, port: own.port), group: try EventLoopGroup(count: 1),
            resolver: BlockingPool(threadCount: 1), agent: "\(name) --check",
            tls: try ServiceTLS.toOwnPort(options))
        let answer = try await HealthServiceClient(client).check(
            CheckRequest(), CallOptions(timeout: Self.checkTimeout))
        await client.close()
        if answer.status == .serving { return 0 }
        writeAll("\(name): \(own) is not ready\n", to: STDERR_FILENO)
        return 1
    }

    private var help: String {
        "\(name): \(settings.summary)\n\nusage: \(name) [options]\n\n"
            + Option.help(settings.common + settings.own)
    }

    private func say(_ text: String) -> Int32 {
        writeAll(text + "\n", to: STDOUT_FILENO)
        return 0
    }
}

/// What `--try` does with the data.
package enum TryScope: String, Sendable {
    /// Opens all that the databases name.
    case all
    /// Opens the databases alone.
    case records
    /// For `waymark migrate`: makes the tables of a database that rows are moved into, and moves datasets.
    case move
}
