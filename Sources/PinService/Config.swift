import EventLoops
import ServiceRuntime

/// The service's settings.
struct Config: Sendable {
    /// The folder that keeps everything.
    let dataFolder: String
    let places: Endpoint
    let photos: Endpoint

    static let options = [
        Option(
            "--places", "HOST:PORT", variable: "WAYMARK_PLACES", fallback: "127.0.0.1:7701", help: "the places service"),
        Option(
            "--photos", "HOST:PORT", variable: "WAYMARK_PHOTOS", fallback: "127.0.0.1:7703", help: "the photo service"),
    ]

    init(_ runtime: Runtime) throws(OptionError) {
        dataFolder = try runtime.options.required("--data")
        places = try runtime.endpoint("--places")
        photos = try runtime.endpoint("--photos")
    }

    /// The file with all pins.
    var databasePath: String { "\(dataFolder)/pins.db" }
}
