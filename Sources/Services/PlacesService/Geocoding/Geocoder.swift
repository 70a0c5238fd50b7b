import Daemon
import EventLoops

/// The sources for finding places by a text, opened in the background.
final class Geocoder: Sendable {
    private let opening: Task<Sources, Never>
    private let openingNames: Task<[NameIndex], Never>
    /// Asked for what is not known here; nil when none is configured.
    let upstream: Upstream?

    /// The local sources.
    struct Sources: Sendable {
        /// Nil when there are no bundled tables, or they can't be read.
        var gazetteer: Gazetteer?
        var addresses = StreetAddresses()
        var areas = WorldAreas()
        var names = PlaceNames()
        var kinds = KindTable()
    }

    /// Takes sources that are already open.
    init(_ sources: Sources = Sources(), names: [NameIndex] = [], upstream: Upstream? = nil) {
        self.upstream = upstream
        opening = Task { sources }
        openingNames = Task { names }
    }

    /// Opens the gazetteer in the data folder, or builds it from the bundled tables; calls wait for it.
    init(dataFolder: String, bundledFolder: String, upstream: Upstream?, _ blocking: BlockingPool, _ log: Log) {
        self.upstream = upstream
        opening = Task {
            var sources = Sources()
            do {
                sources.gazetteer = try await blocking.run {
                    try GazetteerFile.open(dataFolder + "/gazetteer", bundled: bundledFolder)
                }
                sources.addresses = try await blocking.run { try StreetAddresses(bundledIn: bundledFolder) }
                sources.areas = try await blocking.run {
                    try WorldAreas(bundledIn: bundledFolder, at: dataFolder + "/gazetteer.areas")
                }
                sources.kinds = try await blocking.run { try KindTable(bundledIn: bundledFolder) }
            } catch {
                log.error("bundled names of places can't be used", ["folder": bundledFolder, "reason": "\(error)"])
            }
            return sources
        }
        openingNames = Task {
            do {
                return try await blocking.run {
                    try GazetteerFile.openNames(dataFolder + "/gazetteer", bundled: bundledFolder)
                }
            } catch {
                log.error("bundled names of places can't be searched", ["reason": "\(error)"])
                return []
            }
        }
    }

    /// Reads the addresses and the names of new datasets, so that calls find them; a large one takes minutes.
    func prepare(_ view: CatalogView, _ blocking: BlockingPool) async {
        let (sources, hasNames) = (await sources, await !names.isEmpty)
        let stop = StopFlag()
        await withTaskCancellationHandler {
            try? await blocking.run {
                let checkpoint = { if stop.isSet { throw PlacesError.cancelled } }
                try sources.names.prepare(view, hasGazetteer: hasNames, checkpoint: checkpoint)
                try sources.addresses.prepare(view, checkpoint: checkpoint)
            }
        } onCancel: {
            stop.set()
        }
    }

    var sources: Sources {
        get async { await opening.value }
    }

    /// The words of all names in the gazetteer; its records are what they lead to. Empty without one.
    var names: [NameIndex] {
        get async { await openingNames.value }
    }
}
