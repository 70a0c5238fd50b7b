import Daemon
import EventLoops

/// The gateway's settings.
struct Config: Sendable {
    let places: Endpoint
    let pins: Endpoint
    let photos: Endpoint
    /// Whether a call without a token acts as the profile "local".
    let isOpen: Bool

    static let options = [
        Option(
            "--places", "HOST:PORT", variable: "WAYMARK_PLACES", fallback: "127.0.0.1:7701", help: "the places service"),
        Option("--pins", "HOST:PORT", variable: "WAYMARK_PINS", fallback: "127.0.0.1:7702", help: "the pin service"),
        Option(
            "--photos", "HOST:PORT", variable: "WAYMARK_PHOTOS", fallback: "127.0.0.1:7703", help: "the photo service"),
        Option(
            "--open", variable: "WAYMARK_OPEN",
            help: "calls without a token act as the profile \"local\"; so by itself when --listen is a loopback address"
        ),
    ]

    init(_ runtime: Runtime) throws(OptionError) {
        places = try runtime.endpoint("--places")
        pins = try runtime.endpoint("--pins")
        photos = try runtime.endpoint("--photos")
        let isLocal = Self.isLoopback(try runtime.endpoint("--listen").host)
        isOpen = isLocal || runtime.options.isSet("--open")
    }

    /// Whether only this machine can reach the host. A name that merely begins like a loopback address does not count.
    static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers.first == 127 && !numbers.contains(nil)
    }
}
