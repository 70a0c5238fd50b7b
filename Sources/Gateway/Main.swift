import Daemon
import Glibc

@main
struct Main {
    static func main() async {
        let program = ServiceProgram(
            name: "gateway",
            summary: "the one address that clients call; calls the other services and composes their answers",
            defaultPort: 7700, options: Config.options + HTTPConfig.options, start: makeService)
        exit(await program.main())
    }

    private static func makeService(_ runtime: Runtime) async throws -> StartedService {
        let config = try Config(runtime)
        let http = try HTTPConfig(runtime.options, isLocal: config.isOpen)
        let backends = Backends(config, runtime)
        let admission = ClientAdmission(IdentitySigner(runtime.key), tokens: http.tokens, isOpen: http.isOpen)
        return StartedService(
            services: [ExploreHandler(backends)],
            admission: admission,
            register: backends.register,
            open: { server in
                try await http.isEnabled ? HTTPDoor.open(http, admission, before: server, backends, runtime) : nil
            },
            stop: backends.close)
    }
}
