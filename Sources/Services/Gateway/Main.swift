import Daemon
import Glibc
import Settings

@main
struct Main {
    static func main() async {
        let program = ServiceProgram(.gateway, start: makeService)
        exit(await program.main())
    }

    private static func makeService(_ runtime: Runtime) async throws -> StartedService {
        let config = try Config(runtime.options)
        let http = config.http
        let backends = Backends(config, runtime)
        let pictures = MapPictures(map: http.map, towns: http.towns)
        let maps = DatasetMaps(backends, pictures)
        let signer = IdentitySigner(runtime.key)
        let sessions = Sessions(backends.pins, signer, runtime.key, tokens: http.tokens)
        let admission = ClientAdmission(signer, tokens: http.tokens, isOpen: http.isOpen, sessions: sessions)
        let sharing = Sharing(backends, maps, signer, runtime.key)
        let backups = BackupTimes(folder: http.folder, runtime.blocking)
        runtime.metrics.add { backups.families }
        let noting = Task { await backups.run() }
        return StartedService(
            services: [
                ExploreHandler(backends), MapHandler(backends, maps), sharing.handler, sharing.guests,
                DataSafetyHandler(backends, backups, signer),
            ],
            admission: admission,
            register: backends.register,
            open: { server in
                try await http.isEnabled
                    ? HTTPDoor.open(http, admission, sessions, before: server, backends, sharing, runtime) : nil
            },
            stop: {
                noting.cancel()
                await noting.value
                await backends.close()
                pictures.close()
            })
    }
}
