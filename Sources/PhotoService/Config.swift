import ServiceRuntime

/// The service's settings.
struct Config: Sendable {
    /// The folder that keeps everything.
    let dataFolder: String

    init(_ options: Options) throws(OptionError) {
        dataFolder = try options.required("--data")
    }

    /// The file with all photos.
    var databasePath: String { "\(dataFolder)/photos.db" }
}
