import Daemon
import EventLoops

/// The service's settings.
struct Config: Sendable {
    /// The folder that holds all data.
    let dataFolder: String
    let places: Endpoint
    let photos: Endpoint
    /// The networks whose places a pin links, and how many.
    let networks: [PlaceNetwork]

    static let options = [
        Option(
            "--places", "HOST:PORT", variable: "WAYMARK_PLACES", fallback: "127.0.0.1:7701", help: "the places service"),
        Option(
            "--photos", "HOST:PORT", variable: "WAYMARK_PHOTOS", fallback: "127.0.0.1:7703", help: "the photo service"),
        Option(
            "--catalog-places", "N", variable: "WAYMARK_CATALOG_PLACES",
            fallback: "\(PlaceNetwork.defaultCatalogLinks)",
            help: "how many places of the catalog a pin links at most, 1 to 10000"),
    ]

    init(_ runtime: Runtime) throws(OptionError) {
        dataFolder = try runtime.options.required("--data")
        places = try runtime.endpoint("--places")
        photos = try runtime.endpoint("--photos")
        networks = [.catalog(mostLinks: try runtime.options.integer("--catalog-places", in: 1...10_000))]
    }

    /// The database with all pins.
    var databasePath: String { "\(dataFolder)/pins.db" }
}
