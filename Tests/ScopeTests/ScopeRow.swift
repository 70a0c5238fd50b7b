import RPC

/// One way to call a method with things of one account, and what others must see then.
struct ScopeRow: Sendable {
    /// What an account sees that calls with things of another one.
    enum View: Sendable {
        /// NOT_FOUND, with the words for things that never were.
        case hidden
        /// The same as for things that never were.
        case blind
        /// An answer about what is its own.
        case own
        /// An answer that is the same for all.
        case shared
        /// A refusal, whoever calls so.
        case refused(RPCCode)
    }

    /// Of the one that may call it, with things that are its own.
    enum Outcome: Sendable {
        case answers
        case fails(RPCCode)
    }

    /// "waymark.pins.v1.PinService/GetPin"
    let path: String
    let others: View
    let owner: Outcome
    /// The request as JSON.
    let request: @Sendable (ScopeThings) -> String

    /// Whether it is about an account itself, or says something in its name to all or to others: only who has logged in
    /// may do it.
    var isOfAccountItself: Bool {
        if path.hasSuffix("/GetProfile") || path.contains(".SettingsService/") { return false }
        let posts = ["CreatePost", "DeletePost", "RemovePost"].map { "waymark.posts.v1.PostService/\($0)" }
        let isOfGrants = path.contains(".GrantService/") || path.contains(".SharedWithMeService/")
        return path.hasPrefix("waymark.accounts.") || posts.contains(path) || isOfGrants
    }
}

/// The package and name of a service, in front of a row's method.
struct ScopeService: Sendable {
    let name: String

    init(_ name: String) { self.name = "waymark.\(name)" }
    init(fullName: String) { name = fullName }

    func callAsFunction(
        _ method: String, _ others: ScopeRow.View = .own, owner: ScopeRow.Outcome = .answers,
        _ request: @escaping @Sendable (ScopeThings) -> String = { _ in "{}" }
    ) -> ScopeRow {
        ScopeRow(path: "\(name)/\(method)", others: others, owner: owner, request: request)
    }
}

/// What an account has, by the names that requests call it. The texts are in the same order for all.
struct ScopeThings: Sendable {
    var account = ""
    var email = ""
    var pin = ""
    /// Found by the pin.
    var place = ""
    /// Uploaded.
    var photo = ""
    /// Of its library.
    var libraryPhoto = ""
    /// Not finished: of these bytes.
    var upload = ""
    var uploadData = ""
    var uploadSHA256 = ""
    var uploadCount = 0
    /// In the folder that all see.
    var folderPhoto = ""
    var session = ""
    var passkey = ""
    /// Of a session that has ended.
    var endedToken = ""
    var post = ""
    /// A link to the pin, and what is secret of it.
    var share = ""
    var shareToken = ""
    /// A list with the pin.
    var list = ""
    /// Of the pin, for an address that no account has.
    var grant = ""
    /// Of an administrator.
    var importID = ""
    var thumbnail = ""

    /// What stands for something else when it is another's, or never was.
    var names: [String] {
        [
            account, email, pin, place, photo, libraryPhoto, upload, uploadSHA256, session, passkey, post, share, list,
            grant,
        ]
    }

    /// Things of the same form that never were.
    static let never = ScopeThings(
        account: "AAAAAAAAAAAAAAAAAAAAAA", email: "never@example.org", pin: "0190a1b2-c3d4-7e5f-8a6b-000000000000",
        place: "scope/never", photo: "upload/00000000000000000000000000000000",
        libraryPhoto: "immich/00000000000000000000000000000000/11111111-2222-4333-8444-000000000000",
        upload: "upload/11111111111111111111111111111111", uploadData: "AAAA",
        uploadSHA256: String(repeating: "0", count: 64), uploadCount: 3, folderPhoto: "folder/never.png",
        session: "BBBBBBBBBBBBBBBBBBBBBB", passkey: "DDDDDDDDDDDDDDDDDDDDDD",
        endedToken: "wms_" + String(repeating: "A", count: 43),
        post: "CCCCCCCCCCCCCCCCCCCCCC", share: "EEEEEEEEEEEEEEEEEEEEEQ",
        list: "0190a1b2-c3d4-7e5f-8a6b-000000000001", grant: "FFFFFFFFFFFFFFFFFFFFFQ", importID: "never")
}
