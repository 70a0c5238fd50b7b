import Contracts
package import RPC
import Wire
import WireJSON

/// All that an account has here as one archive: its records as JSON, its pins as GeoJSON, the files that it uploaded as
/// they were, and a page that opens in a browser. It calls in the account's name and gives bytes as they are made, so
/// that it may be larger than memory.
package struct AccountArchive {
    /// Whom to ask for a method, and with which options.
    package typealias Calls =
        @Sendable (_ method: MethodDescriptor) async throws -> (
            client: RPCClient, options: CallOptions
        )
    /// Takes the next bytes of the archive.
    package typealias Sink = (_ bytes: [UInt8]) async throws -> Void

    /// Bytes of a file that are kept between looking at it and writing it; of a larger one they are asked for twice.
    private static let maximumKept = 2 << 20
    private static let pageSize: UInt32 = 250

    private let calls: Calls
    private let json = WireJSON()
    private var zip = ZipStream()
    private var page = AccountPage()

    package init(_ calls: @escaping Calls) { self.calls = calls }

    /// Photos that could not be had.
    package var leftOut: [LeftOutPhoto] { page.leftOut }
    /// How many files of pictures there are.
    package var photoCount: Int { page.photos.count }

    /// Writes all of it. Throws when a service does not answer: what was written then is no archive.
    package mutating func write(_ sink: @escaping Sink) async throws {
        try await addAccount(sink)
        try await addPins(sink)
        try await addLists(sink)
        try await addStars(sink)
        try await addFavourites(sink)
        try await addUploads(sink)
        try await add(AccountPage.name, page.html, sink)
        try await sink(zip.end())
    }

    /// The answer to one call.
    private func ask<Request: WireMessage, Answer: WireMessage>(
        _ method: MethodDescriptor, _ request: Request
    ) async throws -> Answer {
        let (client, options) = try await calls(method)
        return try await client.unary(method, request, options)
    }

    /// The pages of a list from the one that `request` names.
    private func pages<Request: ArchivedListRequest, Answer: ArchivedPage>(
        _ method: MethodDescriptor, _ request: Request, as _: Answer.Type
    ) -> ArchivedPages<Request, Answer> {
        ArchivedPages(request) { [calls] page in
            let (client, options) = try await calls(method)
            return try await client.unary(method, page, options)
        }
    }

    /// Adds the answer to a call, unless it is not for this caller: a key may not ask about the account itself, and who
    /// shares an open profile has none.
    private mutating func add<Request: WireMessage, Answer: WireMessage>(
        _ name: String, _ about: String, _ method: MethodDescriptor, _ request: Request, as _: Answer.Type,
        _ sink: @escaping Sink
    ) async throws {
        let answer: Answer
        do {
            answer = try await ask(method, request)
        } catch let error as RPCError where [.unauthenticated, .permissionDenied].contains(error.code) {
            return
        }
        try await add(name, about, answer, sink)
    }

    private mutating func add(_ name: String, _ bytes: [UInt8], _ sink: @escaping Sink) async throws {
        let notes = FileNotes(bytes)
        try await sink(begin(name, notes) + bytes)
    }

    private mutating func add<Message: WireMessage>(
        _ name: String, _ about: String, _ message: Message, _ sink: @escaping Sink
    ) async throws {
        let text = try json.json(packed: message.packedBytes(), of: Message.protoName, options: [.pretty, .sorted])
        try await add(name, text, sink)
        page.files.append((name, about))
    }

    private mutating func begin(_ name: String, _ notes: FileNotes) -> [UInt8] {
        zip.begin(name, byteCount: UInt32(clamping: notes.byteCount), crc32: notes.crc32)
    }

    /// Adds a file whose bytes `read` gives in parts: once to look at them, and a large one once more to write them.
    private mutating func copy(
        _ name: (FileNotes) -> String, _ sink: @escaping Sink,
        _ read: (_ take: (_ part: [UInt8]) async throws -> Void) async throws -> Void
    ) async throws -> (name: String, notes: FileNotes) {
        var (notes, kept) = (FileNotes(), [UInt8]())
        try await read { part in
            notes.update(part[...])
            if notes.byteCount <= Self.maximumKept { kept += part } else { kept = [] }
        }
        let name = name(notes)
        try await sink(begin(name, notes))
        if notes.byteCount <= Self.maximumKept {
            try await sink(kept)
            return (name, notes)
        }
        var sent = FileNotes()
        try await read { part in
            sent.update(part[...])
            guard sent.byteCount <= notes.byteCount else { throw Self.changed }
            try await sink(part)
        }
        guard sent.sha256 == notes.sha256 else { throw Self.changed }
        return (name, notes)
    }

    private static var changed: RPCError {
        RPCError(.aborted, "something was changed while the archive was made; make it again")
    }
}

extension AccountArchive {
    private mutating func addAccount(_ sink: @escaping Sink) async throws {
        let profile: GetProfileResponse = try await ask(AccountServiceMethods.getProfile, GetProfileRequest())
        page.account = profile.account
        try await add("account.json", "names and address", profile, sink)
        let settings: GetSettingsResponse = try await ask(SettingsServiceMethods.getSettings, GetSettingsRequest())
        try await add("settings.json", "settings", settings, sink)
        try await add(
            "security.json", "what happened to the account", AccountServiceMethods.listSecurityEvents,
            ListSecurityEventsRequest(limit: 200), as: ListSecurityEventsResponse.self, sink)
        try await add(
            "passkeys.json", "names of passkeys", PasskeyServiceMethods.listPasskeys, ListPasskeysRequest(),
            as: ListPasskeysResponse.self, sink)
        try await add(
            "identities.json", "login providers", LoginProviderServiceMethods.listIdentities, ListIdentitiesRequest(),
            as: ListIdentitiesResponse.self, sink)
        try await add(
            "keys.json", "keys for programs, without their secrets", APIKeyServiceMethods.listAPIKeys,
            ListAPIKeysRequest(), as: ListAPIKeysResponse.self, sink)
        try await add(
            "network-keys.json", "keys of networks, without their secrets", NetworkKeyServiceMethods.listNetworkKeys,
            ListNetworkKeysRequest(), as: ListNetworkKeysResponse.self, sink)
        let posts: ListPostsResponse = try await ask(PostServiceMethods.listPosts, ListPostsRequest())
        let own = ListPostsResponse(posts: posts.posts.filter(\.own))
        try await add("post.json", "where one is on the map", own, sink)
        let shares: ListSharesResponse = try await ask(ShareServiceMethods.listShares, ListSharesRequest())
        try await add("links.json", "links that share something", shares, sink)
        try await add(
            "grants.json", "what is shared with other accounts", GrantServiceMethods.listGrants, ListGrantsRequest(),
            as: ListGrantsResponse.self, sink)
        try await add(
            "shared-with-me.json", "what other accounts share", GrantServiceMethods.listSharedWithMe,
            ListSharedWithMeRequest(), as: ListSharedWithMeResponse.self, sink)
    }

    private mutating func addPins(_ sink: @escaping Sink) async throws {
        _ = try await copy({ _ in "pins.geojson" }, sink) { [calls] take in
            let (client, options) = try await calls(PinFileServiceMethods.exportPins)
            let request = ExportPinsRequest(format: .geojson)
            for try await part in PinFileServiceClient(client).exportPins(request, options) {
                try await take(part.data)
            }
        }
        page.files.append(("pins.geojson", "pins with their notes and days"))
        let request = ListPinsRequest(pageSize: Self.pageSize)
        for try await part in pages(PinServiceMethods.listPins, request, as: ListPinsResponse.self) {
            page.add(part.pins)
        }
    }

    private mutating func addLists(_ sink: @escaping Sink) async throws {
        let lists: ListListsResponse = try await ask(ListServiceMethods.listLists, ListListsRequest())
        try await add("lists.json", "lists of pins", lists, sink)
        for list in lists.lists {
            let request = ListPinsOfListRequest(id: list.id, pageSize: Self.pageSize, onlyIds: true)
            var all = ListPinsOfListResponse()
            for try await part in pages(ListServiceMethods.listPinsOfList, request, as: ListPinsOfListResponse.self) {
                all.pins += part.pins
            }
            try await add("lists/\(list.id).json", "ids of the pins in “\(list.name)”", all, sink)
        }
    }

    private mutating func addStars(_ sink: @escaping Sink) async throws {
        let request = ListStarsRequest(pageSize: Self.pageSize)
        var all = ListStarsResponse()
        for try await part in pages(StarServiceMethods.listStars, request, as: ListStarsResponse.self) {
            all.places += part.places
        }
        try await add("stars.json", "places with a star", all, sink)
    }

    private mutating func addFavourites(_ sink: @escaping Sink) async throws {
        let request = ListFavouritesRequest(pageSize: Self.pageSize)
        var all = ListFavouritesResponse()
        for try await part in pages(PhotoServiceMethods.listFavourites, request, as: ListFavouritesResponse.self) {
            all.favourites += part.favourites
        }
        try await add("favourites.json", "favourite photos", all, sink)
    }

    private mutating func addUploads(_ sink: @escaping Sink) async throws {
        let request = ListUploadsRequest(pageSize: Self.pageSize)
        var all = ListUploadsResponse()
        for try await part in pages(UploadServiceMethods.listUploads, request, as: ListUploadsResponse.self) {
            for photo in part.photos { try await add(photo, sink) }
            all.photos += part.photos
        }
        try await add("photos.json", "photos that were uploaded", all, sink)
    }

    private mutating func add(_ photo: Photo, _ sink: @escaping Sink) async throws {
        let number = page.photos.count + 1
        do {
            let request = try GetPictureRequest(archiving: photo)
            let (name, notes) = try await copy({ ArchivedPhoto.name(number, of: photo, $0) }, sink) { [calls] take in
                let (client, options) = try await calls(PhotoServiceMethods.getPicture)
                for try await part in PhotoServiceClient(client).getPicture(request, options) {
                    try await take(part.data)
                }
            }
            page.photos.append(ArchivedPhoto(photo, ArchivedFile(name, notes)))
        } catch let error as RPCError where error.leavesOutPicture {
            page.leftOut.append(LeftOutPhoto(id: photo.id, reason: error.message))
        }
    }
}
