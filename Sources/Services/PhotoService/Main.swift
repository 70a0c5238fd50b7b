import Daemon
import EventLoops
import Glibc
import Settings
import Stores

@main
struct Main {
    static func main() async {
        // A confined service can't start programs; who looks after it starts both again.
        let host = DecoderHost(whenLost: { kill(getpid(), SIGTERM) })
        let program = ServiceProgram(
            .photos, prepare: { try host.start() }, tryData: tryData, start: { try await makeService($0, host) })
        exit(await program.main())
    }

    private static func tryData(_ runtime: Runtime) async throws -> [String] {
        let config = try Config(runtime.options)
        let store = try await PhotoStore.open(config.database.address, settings: config.database.settings)
        let missing = try await store.missingPictures(in: config.blobFolder, runtime.blocking)
        await store.close()
        guard missing.count > 0 else { return [] }
        return [
            "\(missing.count) of \(missing.of) pictures are not in blobs/: they are lost, or in a bucket (--blobs), which"
                + " a copy of the folder does not have"
        ]
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
