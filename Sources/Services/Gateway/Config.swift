import Arguments
import Daemon
import EventLoops

/// The gateway's settings.
struct Config: Sendable {
    let places: Endpoint
    let pins: Endpoint
    let photos: Endpoint
    let http: HTTPConfig

    /// Reads the token file. Blocks.
    init(_ options: Options) throws {
        places = try options.endpoint("--places")
        pins = try options.endpoint("--pins")
        photos = try options.endpoint("--photos")
        http = try HTTPConfig(options, isLocal: try options.endpoint("--listen").isLoopback)
    }
}
