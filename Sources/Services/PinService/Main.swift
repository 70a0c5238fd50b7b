import Backups
import Daemon
import EventLoops
import Glibc
import Settings
import Stores

@main
struct Main {
    static func main() async {
        let program = ServiceProgram(.pins, tryData: tryData, start: makeService)
        exit(await program.main())
    }

    private static func tryData(_ runtime: Runtime, _ scope: TryScope) async throws -> [String] {
        let config = try Config(runtime.options)
        if scope == .move {
            try await config.database.makeForMove(PinParts.migrations)
            return []
        }
        let lock = try await runtime.blocking.run { try FolderLock(config.dataFolder) }
        defer { withExtendedLifetime(lock) {} }
        await (try await PinStore.open(config.database.address, settings: config.database.settings)).close()
        return []
    }

    private static func makeService(_ runtime: Runtime) async throws -> StartedService {
        let house = try await PinHouse(runtime)
        var made: [any PinPart] = []
        for part in PinParts.all { made.append(try await part.init(house)) }
        let parts = made
        runtime.metrics.add { parts.flatMap(\.families) + (house.shipping?.report.families ?? []) }
        runtime.metrics.warn { house.shipping?.report.warning }
        let running = try await RunningParts(parts, in: house.store.database, log: runtime.log)
        return StartedService(
            services: running.services + [house.replication], data: house.store.dataName, leave: house.store.leave,
            stop: {
                await running.stop()
                await house.close()
            })
    }
}
