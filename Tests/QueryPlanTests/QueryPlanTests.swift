import Accounts
import Storage
import TestTools
import Testing

@testable import PhotoService
@testable import PinService
@testable import PlacesService

/// A database of a service: the migrations that make it, and the folders whose statements it runs.
enum ServiceDatabase: CaseIterable {
    case pins, photos, places

    var migrations: [Migration] {
        switch self {
        case .pins: PinParts.migrations
        case .photos: PhotoSchema.migrations
        case .places: DiscoverySchema.migrations
        }
    }

    var folders: [String] {
        switch self {
        case .pins: ["Logins/Accounts", "Services/PinService"]
        case .photos: ["Services/LiveNetworks", "Services/PhotoService"]
        case .places: ["Services/LiveNetworks", "Services/PlacesService"]
        }
    }

    /// Those of all services; not each has all of their tables.
    static let shared = ["Store/Storage/Changes", "Store/Storage/Jobs", "Store/Stores"]
}

@Suite(
    "Every statement uses an index, with a thousand accounts of a thousand pins as with one", .timeLimit(.minutes(5)))
struct QueryPlanTests {
    @Test("of both engines", arguments: ServiceDatabase.allCases, [true, false])
    func indexed(database: ServiceDatabase, isSQLite: Bool) async throws {
        let own = try database.folders.flatMap { try SQLText.all(in: "Sources/\($0)") }
        let statements = try own + ServiceDatabase.shared.flatMap { try SQLText.all(in: "Sources/\($0)") }
        try #require(own.count > 20 && statements.count > own.count)
        let plans = try await TemporaryFolder.with { folder in
            let file = "\(folder)/\(database).db"
            let place = isSQLite ? (address: file, schema: "waymark") : try PostgresServer.sharedPlace(of: file)
            var settings = DatabaseSettings()
            settings.schema = place.schema
            let made = try await Database.open(place.address, migrations: database.migrations, settings: settings)
            await made.close()
            return isSQLite ? SQLitePlans.of(statements, in: file) : try PostgresPlans.of(statements, in: place.schema)
        }
        #expect(plans.count == statements.count)
        for (index, plan) in plans.enumerated() {
            if let refusal = plan.refusal, index < own.count {
                Issue.record("\(plan.statement) is refused: \(refusal)")
            }
            for table in plan.scanned where !AllowedScan.all.contains(where: { $0.allows(table, plan.statement) }) {
                Issue.record("\(plan.statement) reads all of \(table)")
            }
        }
    }

    @Test("but those that read a whole table for a reason, and these are there")
    func allowed() throws {
        let statements =
            try Set(ServiceDatabase.allCases.flatMap(\.folders) + ServiceDatabase.shared).sorted()
            .flatMap { try SQLText.all(in: "Sources/\($0)") }
        for allowed in AllowedScan.all {
            #expect(statements.contains { allowed.allows(allowed.table, $0) }, "\(allowed.beginning)")
        }
    }
}
