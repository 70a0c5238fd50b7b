import Daemon
import EventLoops
import Glibc
import Settings

@main
struct Main {
    static func main() async {
        // A confined service can't start programs; who looks after it starts both again.
        let host = DecoderHost(whenLost: { kill(getpid(), SIGTERM) })
        let program = ServiceProgram(
            .photos, prepare: { try host.start() }, start: { try await makeService($0, host) })
        exit(await program.main())
    }

    private static func makeService(_ runtime: Runtime, _ host: DecoderHost) async throws -> StartedService {
        let process = try await PhotoProcess(
            try Config(runtime.options), runtime.loops.loops[0], runtime.blocking, host, key: runtime.key,
            log: runtime.log)
        runtime.metrics.add { process.metrics }
        return StartedService(
            services: process.services, data: process.dataName, leave: process.leave, stop: process.stop)
    }
}
