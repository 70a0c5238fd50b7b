import Daemon
import EventLoops
import Glibc

@main
struct Main {
    static func main() async {
        let program = ServiceProgram(
            name: "photo-service", summary: "keeps photos, albums and pictures", defaultPort: 7703,
            options: Config.options, start: makeService)
        exit(await program.main())
    }

    private static func makeService(_ runtime: Runtime) async throws -> StartedService {
        let process = try await PhotoProcess(
            try Config(runtime.options), runtime.loops.loops[0], runtime.blocking, key: runtime.key, log: runtime.log)
        runtime.metrics.add { process.metrics }
        return StartedService(
            services: process.services, data: process.dataName, leave: process.leave, stop: process.stop)
    }
}
