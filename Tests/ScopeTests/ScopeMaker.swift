import Bytes
import Contracts
import Crypto
import Daemon
import EventLoops
import FoundationEssentials
import RPC
import TestKeys
import TestSupport
import TestTools
import Testing
import Wire

/// An account, and the session that it calls with.
struct ScopeAccount: Sendable {
    let account: Account
    let session: Session
    let caller: ScopeCaller

    var options: CallOptions { CallOptions(deadline: .now + .seconds(60), token: caller.token) }
}

/// Makes accounts and what they have, by calls of the gateway.
struct ScopeMaker: Sendable {
    private let client: RPCClient
    private let accounts: AccountServiceClient
    private let pins: PinServiceClient
    private let photos: PhotoServiceClient
    private let uploads: UploadServiceClient

    init(_ client: RPCClient) {
        self.client = client
        accounts = AccountServiceClient(client)
        pins = PinServiceClient(client)
        photos = PhotoServiceClient(client)
        uploads = UploadServiceClient(client)
    }

    private static var soon: CallOptions { CallOptions(timeout: .seconds(60)) }
    private static var root: CallOptions {
        CallOptions(deadline: .now + .seconds(60), token: ScopeProcesses.operatorToken)
    }

    /// Each has another one.
    static func password(of name: String) -> String { "correct horse of \(name)" }

    /// Imports a table of places, and has the folder of pictures read. Gives the import's name.
    func importPlaces(_ table: String, _ request: String) async throws -> String {
        let places = PlacesServiceClient(client)
        let begun = try await ScopeDoor("gateway", client).call(
            "waymark.places.v1.PlacesService/BeginImport", request, Self.root)
        struct Begun: Decodable { let uploadId: String }
        let id = try JSONDecoder().decode(Begun.self, from: Data(try #require(begun.answers.first).utf8)).uploadId
        let part = WriteImportRequest(uploadId: id, data: Array(table.utf8))
        _ = try await places.writeImport(part, Self.root)
        for try await _ in places.runImport(RunImportRequest(uploadId: id), Self.root) {}
        for try await scan in photos.scanPictures(ScanPicturesRequest(), Self.root) {
            try #require(scan.skipped.isEmpty)
        }
        return id
    }

    func signUp(_ name: String) async throws -> ScopeAccount {
        let request = SignUpRequest(
            email: "\(name)@example.org", password: Self.password(of: name), firstName: name.capitalized, lastName: "A")
        let begun = try #require(try await accounts.signUp(request, Self.soon).session)
        let account = try #require(begun.account)
        let options = CallOptions(deadline: .now + .seconds(60), token: begun.token)
        let sessions = try await accounts.listSessions(ListSessionsRequest(), options).sessions
        let session = try #require(sessions.first { $0.current })
        let claim = IdentityClaim.account(account.id, .user, by: .session(session.id))
        return ScopeAccount(
            account: account, session: session, caller: ScopeCaller(name, claim, token: begun.token))
    }

    /// Begins two sessions, of which one is revoked and the other let expire; gives their tokens.
    func endSessions(of account: ScopeAccount, expire: (String) async throws -> Void) async throws -> [String] {
        let (revoked, expired) = (try await logIn(account), try await logIn(account))
        _ = try await accounts.revokeSessions(RevokeSessionsRequest(id: revoked.id), account.options)
        try await expire(expired.id)
        return [revoked.token, expired.token]
    }

    private func logIn(_ account: ScopeAccount) async throws -> (token: String, id: String) {
        let known = Set(try await accounts.listSessions(ListSessionsRequest(), account.options).sessions.map(\.id))
        let request = LogInRequest(
            email: account.account.email, password: Self.password(of: account.caller.name))
        let token = try #require(try await accounts.logIn(request, Self.soon).session).token
        let sessions = try await accounts.listSessions(ListSessionsRequest(), account.options).sessions
        return (token, try #require(sessions.first { !known.contains($0.id) }).id)
    }

    /// Makes one of everything, and waits until no work is left for it.
    func make(
        _ things: inout ScopeThings, as account: ScopeAccount, at point: (Double, Double), named name: String
    ) async throws {
        let door = try await ScopeDoor("gateway", client)
        let made = try await door.call("waymark.pins.v1.PinService/CreatePin", ScopeWorld.createPin, account.options)
        try #require(made.code == .ok, "\(made)")
        things.pin = try #require(try await pins.listPins(ListPinsRequest(), account.options).pins.first).id
        _ = try await pins.renamePin(RenamePinRequest(id: things.pin, name: name), account.options)
        _ = try await NetworkKeyServiceClient(client).setNetworkKey(
            SetNetworkKeyRequest(network: "immich", key: ScopeLibrary.key), account.options)
        let position = Coordinate(latitude: point.0, longitude: point.1)
        _ = try await pins.movePin(MovePinRequest(id: things.pin, position: position), account.options)
        try await settle(account, pin: things.pin)
        let places = try await pins.listPinPlaces(ListPinPlacesRequest(id: things.pin), account.options).places
        things.place = try #require(places.first).id
        try await upload(&things, as: account)
        let (path, posts) = ("waymark.posts.v1.PostService/CreatePost", PostServiceClient(client))
        let post = try await door.call(path, ScopeWorld.createPost, account.options)
        try #require(post.code == .ok, "\(post)")
        things.post = try #require(try await posts.listPosts(ListPostsRequest(), account.options).posts.first).id
        let share = try #require(
            try await ShareServiceClient(client).createShare(
                CreateShareRequest(pinId: things.pin, withNote: true), account.options
            ).share)
        let grant = CreateGrantRequest(pinId: things.pin, email: "none@example.org")
        things.grant = try #require(
            try await GrantServiceClient(client).createGrant(grant, account.options).grant
        ).id
        (things.share, things.shareToken) = (share.id, String(share.path.dropFirst("/s/".count)))
        let starred = StarredPlace(id: things.place, name: name, position: position)
        _ = try await StarServiceClient(client).starPlace(StarPlaceRequest(place: starred), account.options)
        things.list = try await makeList(with: things.pin, named: name, as: account)
        _ = try await photos.openAlbum(OpenAlbumRequest(subject: "place/\(things.place)"), account.options)
        try await settle("place/\(things.place)", of: account, photos: 1)
        let album = try await settle("pin/\(things.pin)", of: account, photos: 3)
        things.libraryPhoto = try #require(album.first { $0.id.hasPrefix("immich/") }).id
        things.folderPhoto = try #require(album.first { $0.id.hasPrefix("folder/") }).id
        things.thumbnail = try #require(album.first { $0.id == things.photo }).thumbnailUrl
        for photo in [things.photo, things.folderPhoto] {
            let favourite = ChangeFavouriteRequest(photoId: photo, change: .add, placeName: name)
            _ = try await photos.changeFavourite(favourite, account.options)
        }
        things.session = try await logIn(account).id
    }
}

extension ScopeMaker {
    /// A photo, and the beginning of another.
    private func upload(_ things: inout ScopeThings, as account: ScopeAccount) async throws {
        let (whole, part) = (ScopePictures.own, ScopePictures.shared)
        things.uploadSHA256 = Hex.text(SHA256.digest(part))
        things.uploadData = Data(part).base64EncodedString()
        things.uploadCount = part.count
        let start = StartUploadRequest(
            sha256: Hex.text(SHA256.digest(whole)), byteCount: UInt64(whole.count), pinId: things.pin)
        things.photo = try await uploads.startUpload(start, account.options).uploadId
        _ = try await uploads.addUploadPart(
            AddUploadPartRequest(uploadId: things.photo, data: whole), account.options)
        _ = try await uploads.finishUpload(FinishUploadRequest(uploadId: things.photo), account.options)
        let other = StartUploadRequest(
            sha256: things.uploadSHA256, byteCount: UInt64(part.count), pinId: things.pin)
        things.upload = try await uploads.startUpload(other, account.options).uploadId
    }

    /// A pin of its own elsewhere.
    func makePin(as account: ScopeAccount) async throws {
        let request = CreatePinRequest(position: Coordinate(latitude: -33.8, longitude: 151.2))
        let pin = try #require(try await pins.createPin(request, account.options).pin)
        try await settle(account, pin: pin.id)
    }

    /// Makes a list with a pin, and gives its id.
    private func makeList(with pin: String, named name: String, as account: ScopeAccount) async throws -> String {
        let lists = ListServiceClient(client)
        let request = CreateListRequest(name: name, colour: .teal)
        let list = try #require(try await lists.createList(request, account.options).list)
        _ = try await lists.addToList(AddToListRequest(id: list.id, pinIds: [pin]), account.options)
        return list.id
    }

    /// Makes a passkey, and gives its id.
    func makePasskey(as account: ScopeAccount) async throws -> String {
        let (client, passkey) = (PasskeyServiceClient(client), SoftPasskey(try SigningKey(.p256)))
        let asked = try await client.beginPasskeyRegistration(BeginPasskeyRegistrationRequest(), account.options)
        let answer = FinishPasskeyRegistrationRequest(
            challenge: asked.challenge, clientData: passkey.clientData("webauthn.create", asked.challenge),
            attestationObject: passkey.attestationObject(), name: "a device")
        return try #require(try await client.finishPasskeyRegistration(answer, account.options).passkey).id
    }

    private func settle(_ account: ScopeAccount, pin: String) async throws {
        for try await news in pins.watchPin(WatchPinRequest(id: pin), account.options)
        where news.pin?.state == .ready { return }
    }

    /// Waits until an album has its photos and their pictures.
    @discardableResult
    private func settle(
        _ subject: String, of account: ScopeAccount, photos count: UInt32
    ) async throws -> [Photo] {
        for try await news in photos.watchAlbum(WatchAlbumRequest(subject: subject), account.options) {
            guard let summary = news.album?.summary, summary.state == .complete, summary.photoCount == count else {
                continue
            }
            break
        }
        return try await photos.getAlbum(GetAlbumRequest(subject: subject), account.options).photos
    }

    /// More that only the account may be told: its sessions, since when it has a key, what its map shows.
    func marks(of account: ScopeAccount, region: Double) async throws -> [String] {
        let span = Span(latitudeDelta: 1, longitudeDelta: 1)
        let shown = Region(centre: Coordinate(latitude: region, longitude: 1), span: span)
        _ = try await pins.setMapRegion(SetMapRegionRequest(region: shown), account.options)
        let keys = try await ScopeDoor("gateway", client).call(
            "waymark.photos.v1.NetworkKeyService/ListNetworkKeys", "{}", account.options)
        let set = try #require(keys.text.firstMatch(of: #/"setTime":"([^"]+)"/#)).output.1
        let sessions = try await accounts.listSessions(ListSessionsRequest(), account.options).sessions
        return [String(set)] + sessions.map(\.id)
    }
}
