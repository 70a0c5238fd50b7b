import EventLoops
import FoundationEssentials
import Glibc
import RPC
import Storage
import Synchronization
import TestSupport
import TestTools

@testable import PinService

/// The four services as processes, with records where the tests are to have them.
struct ScopeProcesses: Sendable {
    /// A token with all roles, and tokens with one each.
    static let operatorToken = "the-operators-token-01"
    static let userToken = "a-token-of-users-only-1"
    static let adminToken = "a-token-of-admins-only"

    /// One of the three services behind the gateway, and what it was started with.
    private struct Service {
        let program: String
        let name: String
        let arguments: [String]
        /// Where it keeps what it keeps.
        var storage: [String]
        var process: ServiceProcess
    }

    /// The services that run.
    private final class Running: Sendable {
        let services: Mutex<[Service]>

        init(_ services: [Service]) { self.services = Mutex(services) }
    }

    let gateway: ServiceProcess
    let places: ServiceProcess
    let pins: ServiceProcess
    let photos: ServiceProcess
    private let running: Running
    let folder: String

    /// Starts them, runs `body`, and stops them.
    /// - Parameter library: where a server of Immich is.
    static func with(folder: String, library: String, _ body: (ScopeProcesses) async throws -> Void) async throws {
        for name in ["pictures"] { unsafe mkdir("\(folder)/\(name)", 0o755) }
        try WholeFile.write(ScopePictures.shared, to: "\(folder)/pictures/a.png")
        try WholeFile.write(Array(ScopePictures.sidecar.utf8), to: "\(folder)/pictures/a.png.xmp")
        let tokens = "\(operatorToken)\n\(userToken) user\n\(adminToken) admin\n"
        try WholeFile.write(Array(tokens.utf8), to: "\(folder)/tokens")
        let places = try await start("places-service", "places", folder, ["--bundled", "none"])
        let photos = try await start(
            "photo-service", "photos", folder,
            ["--pictures", "\(folder)/pictures", "--immich-servers", library, "--immich-rate", "1000"])
        let peers = ["--places", "\(places.process.endpoint)", "--photos", "\(photos.process.endpoint)"]
        let pins = try await start(
            "pin-service", "pins", folder, peers + ["--sign-up", "open", "--public-url", "https://example.org"])
        let gateway = try await ServiceProcess.start(
            "gateway", folder: folder,
            peers + [
                "--pins", "\(pins.process.endpoint)", "--data", "\(folder)/gateway", "--token-file", "\(folder)/tokens",
                "--http", "127.0.0.1:0", "--web", "none", "--map", "\(repository)/Data/map", "--rate", "0",
                "--log-level", "error",
            ])
        let running = Running([pins, photos, places])
        try await body(
            ScopeProcesses(
                gateway: gateway, places: places.process, pins: pins.process, photos: photos.process, running: running,
                folder: folder))
        _ = try await gateway.end(by: SIGTERM)
        for service in running.services.withLock({ $0 }) { _ = try await service.process.end(by: SIGTERM) }
    }

    /// Kills a service at once and starts it again, where it was.
    func restart(_ name: String) async throws {
        let services = running.services.withLock { $0 }
        guard let index = services.firstIndex(where: { $0.name == name }) else { return }
        let service = services[index]
        _ = try await service.process.end(by: SIGKILL)
        let process = try await ServiceProcess.start(
            service.program, folder: folder,
            service.arguments + service.storage + ["--listen", "\(service.process.endpoint)"])
        running.services.withLock { $0[index].process = process }
    }

    /// Stops the three, runs `body`, and starts them again where they were, on other data.
    /// - Parameter storage: for each where that is.
    func move(_ body: () async throws -> Void, to storage: (_ name: String) -> [String]) async throws {
        var services = running.services.withLock { $0 }
        for service in services { _ = try await service.process.end(by: SIGTERM) }
        try await body()
        for index in services.indices.reversed() {
            services[index].storage = storage(services[index].name)
            let service = services[index]
            services[index].process = try await ServiceProcess.start(
                service.program, folder: folder,
                service.arguments + service.storage + ["--listen", "\(service.process.endpoint)"])
        }
        let moved = services
        running.services.withLock { $0 = moved }
    }

    private static func start(
        _ program: String, _ name: String, _ folder: String, _ arguments: [String]
    ) async throws -> Service {
        let place = try PostgresServer.place(of: "\(folder)/\(name)/\(name == "places" ? "live" : name).db")
        let all = arguments + ["--loops", "1", "--log-level", "error"]
        let storage = [
            "--data", "\(folder)/\(name)", "--database", place.address, "--database-schema", place.schema,
        ]
        let process = try await ServiceProcess.start(program, folder: folder, all + storage)
        return Service(program: program, name: name, arguments: all, storage: storage, process: process)
    }

    private static let repository = #filePath.split(separator: "/").dropLast(3).reduce("") { "\($0)/\($1)" }

    /// All rows of the pin service and of the photo service that have one of these texts in them.
    func rows(with texts: [String]) throws -> [String] {
        try ["pins", "photos"].flatMap { name in
            try PostgresServer.dump(of: "\(folder)/\(name)/\(name).db").split(separator: "\n").map { $0.lowercased() }
                .filter { row in texts.contains { row.contains($0.lowercased()) } }
        }
    }

    /// Lets a session end as if its time were over.
    func expire(session: String) async throws {
        let place = try PostgresServer.place(of: "\(folder)/pins/pins.db")
        var settings = DatabaseSettings()
        settings.schema = place.schema
        let database = try await Database.open(place.address, migrations: PinParts.migrations, settings: settings)
        try await database.write { transaction throws(SQLError) in
            try transaction.execute("UPDATE sessions SET expires_ms = 1 WHERE id = ?1", session)
        }
        await database.close()
    }
}

/// Small pictures.
enum ScopePictures {
    /// In the folder that all see.
    static let shared = bytes(
        "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAwUlEQVR42gXBMQtEYAAA0G8zqBsUpSiiCBFCxIVOCBGiiKIUZVAGm99+7wEAAARB"
            + "n88HRVGCIBiGEQRBVVUAwzCCIDiOUxTFcZwsy4ZhuK4LMAwjSZJlWVEUNU2zbdv3/TiOAU3TPM8rimKapud5v98vy7K6roEkSbquO44TBEGS"
            + "JGVZdl03TROwLOv7/UZRlOd50zTDMCzLsu87CMMwTdOqqvq+n+d527bzPO/7BkVRtG07juO6rsdxXNf1PM/7vn/pCy9BwmGjjgAAAABJRU5E"
            + "rkJggg==")
    /// That an account uploads.
    static let own = bytes(
        "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAwklEQVR42gXBJwNEYAAA0K/LLlNREY1oNCMaDRdxzYhGM6IRUVHJZN1PufcAAACG"
            + "YQzDGIZRFMVxnCiKqqoCEAQhCEKSpCAIhmH4vp9lWdd14PP54DjOsqyqqq7rxnFc1/U0TQBFUYqiRFE0TTMIgjzP+75f1xUQBMFxnKZpnucl"
            + "SdI0zTzPx3EAmqYlSbIsKwzDoiiGYdi27bouwPO8ruvf7zdN07Ztl2U5z/N5HiDLsm3bv9+vLMtxHPd9v+/7fd8/n31UAX9iA3wAAAAASUVO"
            + "RK5CYII=")
    /// Where the shared one was taken.
    static let sidecar = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/"
          exif:GPSLatitude="60,7.404N" exif:GPSLongitude="24,45.924E"/></rdf:RDF></x:xmpmeta>
        """

    private static func bytes(_ text: String) -> [UInt8] { Array(Data(base64Encoded: text) ?? Data()) }
}
