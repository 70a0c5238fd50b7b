import EventLoops
import ServiceRuntime

/// What the service has for finding places by a text, opened beside everything else.
final class Geocoder: Sendable {
    private let opening: Task<Sources, Never>

    /// What there is.
    struct Sources: Sendable {
        /// Nil when there are no bundled tables, or they can't be read.
        var gazetteer: Gazetteer?
        var addresses = AddressBook()
    }

    /// Takes what is there already.
    init(_ sources: Sources = Sources()) { opening = Task { sources } }

    /// Opens the gazetteer in the data folder, or makes it of the bundled tables; calls wait for it.
    init(dataFolder: String, bundledFolder: String, _ blocking: BlockingPool, _ log: Log) {
        opening = Task {
            var sources = Sources()
            do {
                sources.gazetteer = try await blocking.run {
                    try GazetteerFile.open(dataFolder + "/gazetteer", bundled: bundledFolder)
                }
                sources.addresses = try await blocking.run { try AddressBook(bundledIn: bundledFolder) }
            } catch {
                log.error("bundled names of places can't be used", ["folder": bundledFolder, "reason": "\(error)"])
            }
            return sources
        }
    }

    var sources: Sources {
        get async { await opening.value }
    }
}
