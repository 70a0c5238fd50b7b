import KillPlan
import WholeSystem

/// What a service does at the moment at which it is killed.
struct Moment: Sendable {
    /// Step on a pin's way to green, or of what comes after.
    enum Phase: String, CaseIterable, Sendable {
        case create, discovery, linking, upload
        case albumSearch = "album search"
        case copy, swap, delete, sweep
    }

    enum Event: Sendable {
        case commit, rename, unlink, send

        var rawValue: UInt32 {
            switch self {
            case .commit: KILL_AT_COMMIT.rawValue
            case .rename: KILL_AT_RENAME.rawValue
            case .unlink: KILL_AT_UNLINK.rawValue
            case .send: KILL_AT_SEND.rawValue
            }
        }
    }

    /// "pin-service"
    let service: String
    let phase: Phase
    let event: Event
    /// What the SQL of the transaction, the path of the file or the bytes that are sent contain.
    let text: String
    /// The kill comes at one of so many such events, the first included.
    let most: Int

    /// Every moment that is drawn from. Where a phase has several, each draw takes one of them.
    static let all = Deployment.ofTests == .replicas ? ofReplicas : ofOneMachine

    private static let ofBoth: [Moment] = [
        Moment("gateway", .create, .send, "PinService/CreatePin", most: 1),
        Moment("places-service", .discovery, .send, "catalog/helsinki/", most: 2),
        // The first one asks for the search, the second one ends it.
        Moment("pin-service", .discovery, .commit, "INSERT INTO pin_searches", most: 2),
        Moment("pin-service", .linking, .commit, "INSERT INTO links", most: 2),
        Moment("pin-service", .delete, .commit, "DELETE FROM pins", most: 1),
        Moment("photo-service", .albumSearch, .commit, "INSERT INTO album_photos", most: 1),
        Moment("photo-service", .copy, .commit, "INSERT INTO pictures", most: 4),
        Moment("gateway", .upload, .send, "UploadService/FinishUpload", most: 1),
        Moment("photo-service", .upload, .commit, "INSERT INTO upload_parts", most: 2),
        Moment("photo-service", .upload, .commit, "UPDATE photos SET owner", most: 1),
        Moment("photo-service", .swap, .commit, "DELETE FROM album_photos", most: 1),
        Moment("photo-service", .delete, .commit, "DELETE FROM albums", most: 1),
    ]

    private static let ofOneMachine =
        ofBoth + [
            Moment("photo-service", .copy, .rename, "/blobs/", most: 4),
            Moment("photo-service", .sweep, .unlink, "/blobs/", most: 1),
        ]

    /// A store lets no file look old, so that nothing of it is swept within a test.
    private static let ofReplicas = ofBoth + [Moment("photo-service", .copy, .send, "PUT /waymark/", most: 4)]

    init(_ service: String, _ phase: Phase, _ event: Event, _ text: String, most: Int) {
        self.service = service
        self.phase = phase
        self.event = event
        self.text = text
        self.most = most
    }
}

/// One kill: a moment, which of the events that fit, and on which side of it.
struct PlannedKill: CustomStringConvertible, Sendable {
    enum Side: String, CaseIterable, Sendable { case before, after }

    let moment: Moment
    let nth: Int
    let side: Side

    init(_ moment: Moment, nth: Int, _ side: Side) {
        self.moment = moment
        self.nth = nth
        self.side = side
    }

    var description: String {
        "\(moment.service), \(moment.phase.rawValue), \(side) \(moment.event) \(nth) with \"\(moment.text)\""
    }
}
