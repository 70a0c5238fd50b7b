import Bytes
import PlaceContracts
import Daemon
import EventLoops
import Geo
import RPC
import Requests
import Wire

/// Answers the calls of PlacesService.
struct PlacesHandler: PlacesServiceHandler {
    let catalog: Catalog
    /// Nil for a catalog that is only here.
    var shared: SharedCatalog?
    let uploads: any ImportUploads
    let imports: ImportQueue
    let discovery: Discovery
    let limits: NearbyLimits
    let blocking: BlockingPool
    var geocoder = Geocoder()
    /// Nil: searches are not compared with brute force.
    var verifier: Verifier?
    var clock = WallClock.system
    var hours = OpenedHours()
    /// Nil: no dataset is followed.
    var updates: DatasetUpdates?
    let scratches = ScratchPool()

    /// Seconds since 1970.
    var now: Int64 { clock.unixMilliseconds / 1000 }

    /// Runs a search in the caller's place, on the connection's loop; if it turns out to be long, again from the start
    /// on a thread for such work, until the deadline.
    /// - Parameter isLong: whether it is known to be long before.
    func search<R: Sendable>(
        _ context: CallContext, byName: Bool, isLong: Bool = false,
        _ body: @escaping @Sendable (CatalogView, SearchScratch, (Int) throws -> Void) throws -> R
    ) async throws -> R {
        let view = try await view(of: context)
        do {
            if !isLong { return try scratches.withScratch { try body(view, $0, SearchPace.onLoop(byName: byName)) } }
        } catch {
            guard error is SearchPace.TakesLong else { throw PlacesError.search(error) }
        }
        let stop = StopFlag()
        return try await withTaskCancellationHandler {
            try await runBlocking { [scratches] in
                try scratches.withScratch { try body(view, $0, SearchPace.until(context.deadline, stop)) }
            }
        } onCancel: {
            stop.set()
        }
    }

    /// The places that the caller sees: the datasets, and what live networks have given for it.
    func view(of context: CallContext) async throws -> CatalogView {
        try await unlessBusy { try await discovery.own.view(catalog.view, of: context.owner) }
    }

    /// Runs `body` on a thread that may block.
    func runBlocking<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await unlessBusy { try await blocking.run(body) }
    }

    /// Runs `body`, which may use threads that may block.
    func unlessBusy<R>(_ body: () async throws -> R) async throws -> R {
        do {
            return try await body()
        } catch {
            throw PlacesError.search(error)
        }
    }
}

extension CallContext {
    /// Whose findings of live networks a call sees; those of no account when it is made for none.
    var owner: String { identity?.account ?? "" }
}

extension PlacesError {
    /// Converts an error of a search, or of the threads it was to run on.
    fileprivate static func search(_ error: any Error) -> any Error {
        switch error {
        case let error as GeoError: PlacesError(error, "searching")
        case is BlockingPool.Refusal: PlacesError.busy
        default: error
        }
    }
}
