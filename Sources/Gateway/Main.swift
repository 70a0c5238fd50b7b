import Glibc
import ServiceRuntime

@main
struct Main {
    static func main() async {
        let program = ServiceProgram(
            name: "gateway",
            summary: "the one address that clients call; asks the other services and composes their answers",
            defaultPort: 7700, options: Config.options, start: makeService)
        exit(await program.main())
    }

    private static func makeService(_ runtime: Runtime) async throws -> StartedService {
        let config = try Config(runtime)
        let backends = Backends(config, runtime)
        return StartedService(
            services: [ExploreHandler(backends)],
            admission: ClientAdmission(IdentitySigner(runtime.key), isOpen: config.isOpen),
            register: backends.register,
            stop: backends.close)
    }
}
