import Daemon
import EventLoops

/// The gateway's settings.
struct Config: Sendable {
    let places: Endpoint
    let pins: Endpoint
    let photos: Endpoint
    let http: HTTPConfig

    /// The options besides those of every service.
    static let options =
        [
            Option(
                "--places", "HOST:PORT", default: "127.0.0.1:7701",
                help: "where the places service is: its name, or HOST,HOST:PORT for replicas without one"),
            Option(
                "--pins", "HOST:PORT", default: "127.0.0.1:7702",
                help: "where the pin service is: its name, or HOST,HOST:PORT for replicas without one"),
            Option(
                "--photos", "HOST:PORT", default: "127.0.0.1:7703",
                help: "where the photo service is: its name, or HOST,HOST:PORT for replicas without one"),
            Option(
                "--open", defaultText: "on, when listening on loopback alone and without tokens",
                help: "calls without a token act as the profile \"local\""),
        ] + HTTPConfig.options

    /// Reads the token file. Blocks.
    init(_ options: Options) throws {
        places = try options.endpoint("--places")
        pins = try options.endpoint("--pins")
        photos = try options.endpoint("--photos")
        http = try HTTPConfig(options, isLocal: try options.endpoint("--listen").isLoopback)
    }
}
