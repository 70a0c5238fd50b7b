/// Everything that can go wrong here, each with a message that the reader can act on.
enum PlacesError: Error, Equatable, CustomStringConvertible {
    /// A field of a request is outside of its limits.
    case invalid(field: String, problem: String)
    /// A request_id was used for another change before.
    case usedRequestID
    case noDataset(DatasetName)
    /// The dataset has no map.
    case noMap(DatasetName)
    /// There is no file that changes could be applied to.
    case noSource(DatasetName)
    /// The dataset is brought up to date by itself, from this address.
    case followed(DatasetName, String)
    /// The dataset is not the one any more that changes were applied to.
    case replaced(DatasetName)
    case noUpload(String)
    /// The upload is being imported, or another import of the dataset runs.
    case importRuns(DatasetName)
    case incompleteUpload(stored: UInt64, expected: UInt64)
    case tooManyUploads(limit: Int)
    case tooManyImports
    /// All threads for long work are busy, and too many requests wait for them.
    case busy
    case diskFull(what: String)
    /// The imported file as a whole can't be used.
    case badFile(reason: String)
    case tooManyBadRows(limit: UInt64, firstLine: UInt64, firstReason: String)
    case noTowns
    /// A text names nothing that is known here.
    case namesNothing
    case noGazetteer
    /// Nothing of it is known here yet; it may be an address of a dataset that was just imported.
    case addressesNotRead
    /// Nothing of it is known here, and the other geocoder can't answer.
    case geocoderFails(reason: String, retryAfterMilliseconds: Int64?)
    /// Stored data contradicts its format.
    case damaged(what: String)
    /// The system refused a call on one of our own files.
    case storage(what: String, reason: String)
    /// The bucket with the datasets can't be used now.
    case storeAway(reason: String)
    /// The caller's deadline passed during a search.
    case tooLate
    case cancelled

    /// Whether it refuses an import before a byte of the file was read: later the same upload may be accepted.
    var isBeforeImport: Bool {
        switch self {
        case .importRuns, .tooManyImports, .invalid: true
        default: false
        }
    }

    var description: String {
        switch self {
        case .invalid(let field, let problem): "\(field): \(problem)"
        case .usedRequestID: "the request_id named another change"
        case .noDataset(let name): "there is no dataset \(name)"
        case .noMap(let name): "dataset \(name) has no map; the import of an .osm.pbf makes one"
        case .noSource(let name):
            "dataset \(name) can't be brought up to date: it was not imported from an .osm.pbf, or by an earlier"
                + " version; import its file again"
        case .followed(let name, let address):
            "dataset \(name) is brought up to date every day from \(address): changes by hand would be applied twice;"
                + " import its file again without --follow to do it by hand"
        case .replaced(let name): "dataset \(name) was replaced or deleted meanwhile; try again"
        case .noUpload(let id):
            "there is no open upload \(id); uploads end an hour after their last use, or with a restart"
        case .importRuns(let name): "an import of dataset \(name) is running; wait for its end"
        case .incompleteUpload(let stored, let expected):
            "only \(stored) of \(expected) bytes are stored; send the rest before the import is run"
        case .tooManyUploads(let limit):
            "\(limit) uploads are open, more are not taken; finish one or try again in an hour"
        case .tooManyImports: "too many imports wait for their turn; try again when one has ended"
        case .busy: "the service is busy with other long requests; try again"
        case .diskFull(let what): "there is no room on the catalog's disk for \(what)"
        case .badFile(let reason): "the file can't be imported: \(reason)"
        case .tooManyBadRows(let limit, let line, let reason):
            "the file has more than \(limit) bad rows, the first one is line \(line): \(reason)"
        case .noTowns: "the catalog contains no dataset named towns, which is needed to name a point's town"
        case .namesNothing: "nothing of this name is known here"
        case .geocoderFails(let reason, _):
            "nothing of this name is known here, and the other geocoder can't be queried: \(reason)"
        case .addressesNotRead:
            "nothing of this name is known yet, and the addresses of a dataset are still being read; try again"
        case .noGazetteer: "this service was started without the bundled data that knows names of places"
        case .damaged(let what): "stored data is damaged: \(what)"
        case .storage(let what, let reason): "\(what): \(reason)"
        case .storeAway(let reason): "the store with the datasets is away: \(reason)"
        case .tooLate: "the deadline passed during the search"
        case .cancelled: "the call was cancelled"
        }
    }
}

extension String {
    /// The text for a message: its beginning, in quotes.
    var quoted: String { utf8.count <= 80 ? "\"\(self)\"" : "\"\(prefix(60))…\"" }
}
