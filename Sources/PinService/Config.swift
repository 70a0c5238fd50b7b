import Daemon
import EventLoops
import Stores

/// The service's settings.
struct Config: Sendable {
    /// The folder that holds all data.
    let dataFolder: String
    /// Where all pins are.
    let database: DatabaseConfig
    let places: Endpoint
    let photos: Endpoint
    /// The networks whose places a pin links, and how many.
    let networks: [PlaceNetwork]

    static let options =
        DatabaseConfig.options + [
            Option(
                "--places", "HOST:PORT", default: "127.0.0.1:7701",
                help: "where the places service is: its name, or HOST,HOST:PORT for replicas without one"),
            Option(
                "--photos", "HOST:PORT", default: "127.0.0.1:7703",
                help: "where the photo service is: its name, or HOST,HOST:PORT for replicas without one"),
            Option(
                "--catalog-places", "N", default: PlaceNetwork.defaultCatalogLinks, in: 1...10_000,
                help: "how many places of the catalog a pin links at most"),
        ]

    init(_ options: Options) throws(OptionError) {
        dataFolder = try options.required("--data")
        database = try DatabaseConfig(options, file: "pins.db", schema: "pins")
        places = try options.endpoint("--places")
        photos = try options.endpoint("--photos")
        networks = [.catalog(mostLinks: try options.integer("--catalog-places"))]
    }
}
