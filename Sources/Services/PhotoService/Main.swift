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

    private static func tryData(_ runtime: Runtime, _ scope: TryScope) async throws -> [String] {
        let config = try Config(runtime.options)
        if scope == .move {
            try await config.database.makeForMove(PhotoSchema.migrations)
            return []
        }
        let lock = try await runtime.blocking.run { try FolderLock(config.dataFolder) }
        defer { withExtendedLifetime(lock) {} }
        let store = try await PhotoStore.open(config.database.address, settings: config.database.settings)
        let missing =
            scope == .all ? try await store.missingPictures(in: config.blobFolder, runtime.blocking) : (0, of: 0)
        await store.close()
        guard missing.0 > 0 else { return [] }
        return [
            "\(missing.0) of \(missing.of) pictures are not in blobs/: they are lost, or in a bucket (--blobs), which"
                + " a copy of the folder does not have"
        ]
    }

    private static func makeService(_ runtime: Runtime, _ host: DecoderHost) async throws -> StartedService {
        let process = try await PhotoProcess(
            try Config(runtime.options), runtime.loops.loops[0], runtime.blocking, host, key: runtime.key,
            log: runtime.log)
        runtime.metrics.add { process.metrics }
        runtime.metrics.warn { process.warning }
        return StartedService(
            services: process.services, data: process.dataName, leave: process.leave, stop: process.stop)
    }
}
