import RPC

/// How each method is called with things of one account, and what others must see. A method that is missing here fails
/// the test. The order is that in which the owner calls them at last.
enum ScopeTable {
    static let rows =
        places + pins + pinFiles + gateway + photos + uploads + keys + posts + shares + grants + lists + stars
        + passkeys + accounts + common + services + ends

    private static let point = #"{"latitude":60.1234,"longitude":24.7654}"#

    private static let box =
        #"{"southWest":{"latitude":60.1,"longitude":24.7},"northEast":{"latitude":60.2,"longitude":24.8}}"#

    private static let places: [ScopeRow] = {
        let places = ScopeService("places.v1.PlacesService")
        return [
            places("Nearby", .shared) { _ in #"{"centre":\#(point)}"# },
            places("Within", .shared) { _ in #"{"box":\#(box)}"# },
            // There are no towns.
            places("ReverseGeocode", .refused(.failedPrecondition), owner: .fails(.failedPrecondition)) { _ in
                #"{"position":\#(point)}"#
            },
            places("Geocode", .refused(.failedPrecondition), owner: .fails(.failedPrecondition)) { _ in
                #"{"text":"Nowhere"}"#
            },
            places("Find", .shared) { _ in #"{"text":"Nowhere"}"# },
            // There are no outlines.
            places("GetArea", .refused(.invalidArgument), owner: .fails(.invalidArgument)) { _ in
                #"{"area":"country/FI"}"#
            },
            places("ListDatasets", .shared),
            // There are no datasets.
            places("GetTile", .refused(.notFound), owner: .fails(.notFound)) { _ in #"{"dataset":"none"}"# },
            places("Discover", .shared) { _ in #"{"centre":\#(point)}"# },
            places("ListNetworks", .shared),
            // It has no contact.
            places("SwitchNetwork", owner: .fails(.failedPrecondition)) { _ in
                #"{"network":"openstreetmap","on":true}"#
            },
            places("WatchNetworks"),
            places("BeginImport") { _ in ScopeWorld.beginImport },
            places("WriteImport", owner: .fails(.notFound)) { #"{"uploadId":"\#($0.importID)","data":"YQ=="}"# },
            places("RunImport") { #"{"uploadId":"\#($0.importID)"}"# },
        ]
    }()

    private static let pins: [ScopeRow] = {
        let pins = ScopeService("pins.v1.PinService")
        return [
            pins("GetPin", .hidden) { #"{"id":"\#($0.pin)"}"# },
            pins("ListPins"),
            pins("PinsNear") { _ in #"{"centre":\#(point)}"# },
            pins("ListPinPlaces", .hidden) { #"{"id":"\#($0.pin)"}"# },
            pins("GetBounds", .hidden) { #"{"pinId":"\#($0.pin)"}"# },
            pins("GetBounds"),
            pins("WatchPin", .hidden) { #"{"id":"\#($0.pin)"}"# },
            pins("WatchPin", .hidden) { #"{"id":"\#($0.pin)","fromVersion":"1"}"# },
            pins("WatchPins"),
            pins("WatchPins") { _ in #"{"fromVersion":"1"}"# },
            pins("GetMapRegion"),
            pins("SetMapRegion") { _ in
                #"{"region":{"centre":\#(point),"span":{"latitudeDelta":1,"longitudeDelta":1}},"requestId":"region"}"#
            },
            // Its owner has made it under this name.
            pins("CreatePin") { _ in ScopeWorld.createPin },
            pins("RenamePin", .hidden) { #"{"id":"\#($0.pin)","name":"mine","requestId":"rename"}"# },
            pins("AnnotatePin", .hidden) { #"{"id":"\#($0.pin)","note":"mine","requestId":"note"}"# },
            pins("SetPinSpan", .hidden) {
                #"{"id":"\#($0.pin)","span":{"latitudeDelta":1,"longitudeDelta":1},"requestId":"span"}"#
            },
        ]
    }()

    private static let gateway = [
        ScopeService("gateway.v1.ExploreService")("Explore", .shared) { _ in #"{"centre":\#(point)}"# },
        ScopeService("gateway.v1.ExploreService")("ExploreStream", .shared) { _ in #"{"centre":\#(point)}"# },
        ScopeService("gateway.v1.ExploreService")("Viewport", .shared) { _ in #"{"box":\#(box),"zoom":18}"# },
        ScopeService("clusters.v1.ClusterService")("FindClusters", .shared) { _ in #"{"box":\#(box),"zoom":18}"# },
        ScopeService("gateway.v1.MapService")("GetPinMap", .hidden) { #"{"pinId":"\#($0.pin)"}"# },
        ScopeService("gateway.v1.DataSafetyService")("GetDataSafety", .shared),
    ]

    private static let photos: [ScopeRow] = {
        let photos = ScopeService("photos.v1.PhotoService")
        let record = #"{"id":"mine/1","position":\#(point)}"#
        return [
            photos("GetPhoto", .hidden) { #"{"id":"\#($0.photo)"}"# },
            photos("GetPhoto", .hidden) { #"{"id":"\#($0.libraryPhoto)"}"# },
            photos("PhotosNear", .shared) { _ in #"{"centre":\#(point),"limit":200}"# },
            photos("PhotosNear") { _ in #"{"centre":\#(point),"networks":["upload","immich"]}"# },
            photos("GetPicture", .hidden) { #"{"photoId":"\#($0.photo)"}"# },
            photos("GetPicture", .hidden) { #"{"photoId":"\#($0.photo)","size":"PICTURE_SIZE_LARGE"}"# },
            photos("GetPicture", .hidden) { #"{"photoId":"\#($0.photo)","size":"PICTURE_SIZE_ORIGINAL"}"# },
            photos("GetPicture", .hidden) { #"{"photoId":"\#($0.libraryPhoto)"}"# },
            photos("ListFavourites"),
            photos("ChangeFavourite", .hidden) { #"{"photoId":"\#($0.photo)","change":"FAVOURITE_CHANGE_ADD"}"# },
            photos("ChangeFavourite", .hidden) {
                #"{"photoId":"\#($0.libraryPhoto)","change":"FAVOURITE_CHANGE_TOGGLE","requestId":"toggle"}"#
            },
            photos("PutPhoto") { _ in #"{"photo":\#(record)}"# },
            photos("ScanPictures"),
            photos("ListLeftOutFiles"),
        ] + albums(photos) { "pin/\($0.pin)" } + albums(photos) { "place/\($0.place)" }
    }()

    /// The same for the album of a pin and for that of a place, which only accounts share that have a pin there.
    private static func albums(
        _ photos: ScopeService, _ subject: @escaping @Sendable (ScopeThings) -> String
    ) -> [ScopeRow] {
        [
            photos("GetAlbum", .hidden) { #"{"subject":"\#(subject($0))"}"# },
            photos("GetAlbum", .hidden) { #"{"subject":"\#(subject($0))","removed":true}"# },
            photos("OpenAlbum", .hidden) { #"{"subject":"\#(subject($0))"}"# },
            // One that was there and is gone, as one that never was.
            photos("WatchAlbum", .blind) { #"{"subject":"\#(subject($0))","fromVersion":"1"}"# },
            photos("RemovePhotos", .hidden) {
                #"{"subject":"\#(subject($0))","photoIds":["\#($0.folderPhoto)"],"requestId":"\#(subject($0))"}"#
            },
            photos("RestorePhotos", .hidden) { #"{"subject":"\#(subject($0))"}"# },
            photos("NewCollection", .hidden) { #"{"subject":"\#(subject($0))"}"# },
        ]
    }

    private static let uploads: [ScopeRow] = {
        let uploads = ScopeService("photos.v1.UploadService")
        return [
            uploads("StartUpload", .hidden) {
                #"{"sha256":"\#($0.uploadSHA256)","byteCount":"\#($0.uploadCount)","pinId":"\#($0.pin)"}"#
            },
            uploads("AddUploadPart", .hidden) { #"{"uploadId":"\#($0.upload)","data":"\#($0.uploadData)"}"# },
            uploads("FinishUpload", .hidden) { #"{"uploadId":"\#($0.upload)"}"# },
            // Finished already.
            uploads("FinishUpload", .hidden) { #"{"uploadId":"\#($0.photo)"}"# },
        ]
    }()

    private static let keys: [ScopeRow] = {
        let keys = ScopeService("photos.v1.NetworkKeyService")
        let networks = ScopeService("photos.v1.PhotoNetworkService")
        return [
            keys("ListNetworkKeys"),
            keys("SetNetworkKey", .refused(.invalidArgument), owner: .fails(.invalidArgument)) { _ in
                #"{"network":"immich","key":"no-key-of-anyone"}"#
            },
            networks("ListPhotoNetworks", .shared),
            // It is not available here.
            networks("SwitchPhotoNetwork", owner: .fails(.failedPrecondition)) { _ in
                #"{"network":"flickr","on":true}"#
            },
        ]
    }()

    private static let posts: [ScopeRow] = {
        let posts = ScopeService("posts.v1.PostService")
        return [
            posts("ListPosts", .shared),
            posts("PostsNear", .shared) { _ in #"{"centre":\#(point)}"# },
            // Its owner has made it under this name.
            posts("CreatePost") { _ in ScopeWorld.createPost },
        ]
    }()

    private static let pinFiles: [ScopeRow] = {
        let files = ScopeService("pins.v1.PinFileService")
        return [
            files("StartPinImport") { _ in #"{"fileName":"a.gpx","byteCount":"10","requestId":"file"}"# },
            // Of an import there is none.
            files("AddPinImportPart", .refused(.notFound), owner: .fails(.notFound)) {
                #"{"id":"\#($0.pin)","data":"YQ=="}"#
            },
            files("RunPinImport", .refused(.notFound), owner: .fails(.notFound)) { #"{"id":"\#($0.pin)"}"# },
            files("UndoPinImport", .refused(.notFound), owner: .fails(.notFound)) { #"{"id":"\#($0.pin)"}"# },
            files("ListPinImports"),
            files("ExportPins"),
            files("ExportPins", .hidden) { #"{"pinIds":["\#($0.pin)"]}"# },
        ]
            + unplaced + tracks
    }()

    private static let tracks: [ScopeRow] = {
        let tracks = ScopeService("pins.v1.TrackService")
        // Of tracks there are none.
        return [
            tracks("ListTracks"),
            tracks("DeleteTrack", .blind) { #"{"id":"\#($0.pin)"}"# },
        ]
    }()

    private static let unplaced: [ScopeRow] = {
        let unplaced = ScopeService("pins.v1.UnplacedPinService")
        // Of entries there are none.
        return [
            unplaced("ListUnplacedPins"),
            unplaced("PlacePins", .refused(.notFound), owner: .fails(.notFound)) {
                #"{"pins":[{"id":"\#($0.pin).0","position":\#(point)}],"requestId":"place"}"#
            },
            unplaced("DeleteUnplacedPins", .blind) { #"{"ids":["\#($0.pin).0"]}"# },
        ]
    }()

    private static let shares: [ScopeRow] = {
        let (shares, links) = (ScopeService("shares.v1.ShareService"), ScopeService("shares.v1.ShareLinkService"))
        return [
            shares("CreateShare", .hidden) { #"{"pinId":"\#($0.pin)","requestId":"share"}"# },
            shares("CreateShare", .hidden) { #"{"listId":"\#($0.list)","requestId":"share-list"}"# },
            shares("ListShares"),
            shares("ListShares") { #"{"listId":"\#($0.list)"}"# },
            shares("ListShares") { #"{"pinId":"\#($0.pin)"}"# },
            links("OpenLink", owner: .fails(.notFound)) { _ in #"{"token":"none"}"# },
            links("CheckShare") { #"{"id":"\#($0.share)"}"# },
            // It leads nowhere.
            ScopeService("gateway.v1.SharedService")(
                "GetSharedPin", .refused(.notFound), owner: .fails(.notFound)
            ) { _ in #"{"token":"none"}"# },
        ]
    }()

    private static let grants: [ScopeRow] = {
        let (grants, checks) = (ScopeService("shares.v1.GrantService"), ScopeService("shares.v1.GrantCheckService"))
        let seen = ScopeService("gateway.v1.SharedWithMeService")
        return [
            grants("CreateGrant", .hidden) { #"{"pinId":"\#($0.pin)","email":"none@example.org"}"# },
            grants("CreateGrant", .hidden) { #"{"listId":"\#($0.list)","email":"none@example.org"}"# },
            grants("ListGrants"),
            grants("ListGrants") { #"{"pinId":"\#($0.pin)"}"# },
            grants("ChangeGrant", .hidden) { #"{"id":"\#($0.grant)","right":"GRANT_RIGHT_ADD_PHOTOS"}"# },
            grants("ListSharedWithMe"),
            // What she shares herself is not shared with her.
            seen("GetSharedWithMe", .hidden, owner: .fails(.notFound)) { #"{"id":"\#($0.grant)"}"# },
            seen("AddSharedPhoto", .hidden, owner: .fails(.notFound)) {
                #"{"id":"\#($0.grant)","uploadId":"\#($0.photo)"}"#
            },
            checks("CheckGrant", owner: .fails(.notFound)) { #"{"id":"\#($0.grant)"}"# },
            // Of an upload there is none.
            ScopeService("photos.v1.GuestPhotoService")("AddGuestPhoto", owner: .fails(.notFound)) {
                #"{"uploadId":"none","pinId":"\#($0.pin)","owner":"\#($0.account)","addedBy":"Anna"}"#
            },
        ]
    }()

    private static let lists: [ScopeRow] = {
        let lists = ScopeService("lists.v1.ListService")
        return [
            lists("CreateList") { _ in #"{"name":"Mine","requestId":"list"}"# },
            lists("ListLists"),
            lists("ListLists", .hidden) { #"{"pinId":"\#($0.pin)"}"# },
            lists("ChangeList", .hidden) { #"{"id":"\#($0.list)","colour":"LIST_COLOUR_RED"}"# },
            lists("AddToList", .hidden) { #"{"id":"\#($0.list)","pinIds":["\#($0.pin)"],"requestId":"add"}"# },
            lists("RemoveFromList", .hidden) { #"{"id":"\#($0.list)","pinIds":["\#(ScopeThings.never.pin)"]}"# },
            lists("ListPinsOfList", .hidden) { #"{"id":"\#($0.list)"}"# },
            lists("ListPinsOfList", .hidden) { #"{"id":"\#($0.list)","onlyIds":true}"# },
        ]
    }()

    private static let stars: [ScopeRow] = {
        let stars = ScopeService("stars.v1.StarService")
        return [
            stars("StarPlace") { _ in #"{"place":{"id":"scope/mine","position":\#(point)},"requestId":"star"}"# },
            stars("ListStars"),
            // Each account has stars of its own.
            stars("UnstarPlace", .blind) { #"{"id":"\#($0.place)"}"# },
        ]
    }()

    private static let passkeys: [ScopeRow] = {
        let passkeys = ScopeService("accounts.v1.PasskeyService")
        let (challenge, bytes) = (
            #""challenge":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=""#, #""clientData":"e30=""#
        )
        return [
            passkeys("GetPasskeyOptions", .shared),
            passkeys("ListPasskeys"),
            passkeys("RenamePasskey", .hidden) { #"{"id":"\#($0.passkey)","name":"mine"}"# },
            passkeys("BeginPasskeyRegistration"),
            // A challenge that was never sent.
            passkeys("FinishPasskeyRegistration", .refused(.invalidArgument), owner: .fails(.invalidArgument)) { _ in
                #"{\#(challenge),\#(bytes),"attestationObject":"oA=="}"#
            },
            passkeys("BeginPasskeyLogIn", .shared),
            passkeys("FinishPasskeyLogIn", .blind, owner: .fails(.unauthenticated)) { _ in
                #"{\#(challenge),\#(bytes),"credentialId":"AQ==","authenticatorData":"AA==","#
                    + #""signature":"AA==","userHandle":"AA=="}"#
            },
            passkeys("RemovePasskey", .blind) { #"{"id":"\#($0.passkey)"}"# },
        ]
    }()

    private static let accounts: [ScopeRow] = {
        let accounts = ScopeService("accounts.v1.AccountService")
        let administration = ScopeService("accounts.v1.AccountAdministrationService")
        let settings = ScopeService("accounts.v1.SettingsService")
        let programs = ScopeService("accounts.v1.APIKeyService")
        let mail = ScopeService("accounts.v1.AccountMailService")
        let providers = ScopeService("accounts.v1.LoginProviderService")
        let browser = String(repeating: "b", count: 43)
        let password = #""password":"\#(ScopeMaker.password(of: "anna"))""#
        return [
            accounts("GetProfile"),
            settings("GetSettings"),
            settings("UpdateSettings") { _ in #"{"units":"UNITS_METRIC"}"# },
            accounts("ListSessions"),
            accounts("ListSecurityEvents"),
            accounts("RevokeSessions", .blind) { #"{"id":"\#($0.session)"}"# },
            // See DeletionTests.
            accounts("DeleteAccount", .refused(.invalidArgument), owner: .fails(.invalidArgument)) { _ in
                #"{"email":"never@example.org"}"#
            },
            accounts("UpdateProfile") { _ in #"{"firstName":"Someone","lastName":"Else"}"# },
            programs("CreateAPIKey") { _ in #"{"name":"a program","scope":"KEY_SCOPE_READ"}"# },
            programs("ListAPIKeys"),
            programs("RevokeAPIKey", .blind) { #"{"id":"\#($0.session)"}"# },
            providers("ListProviders", .shared),
            providers("ListIdentities"),
            // There are no providers.
            providers("BeginLogin", .refused(.invalidArgument), owner: .fails(.invalidArgument)) { _ in
                #"{"provider":"none","browser":"\#(browser)"}"#
            },
            providers("FinishLogin", .refused(.invalidArgument), owner: .fails(.invalidArgument)) { _ in
                #"{"provider":"none","browser":"\#(browser)","state":"s","code":"c"}"#
            },
            providers("LogInWithToken", .refused(.invalidArgument), owner: .fails(.invalidArgument)) { _ in
                #"{"provider":"none","idToken":"a.b.c","nonce":"0123456789abcdef"}"#
            },
            providers("EndProviderSessions", .refused(.invalidArgument), owner: .fails(.invalidArgument)) { _ in
                #"{"provider":"none","logoutToken":"a.b.c"}"#
            },
            providers("BeginLink", .refused(.invalidArgument), owner: .fails(.invalidArgument)) { _ in
                #"{"provider":"none","browser":"\#(browser)"}"#
            },
            providers("Unlink", .blind) { #"{"id":"\#($0.session)"}"# },
            accounts("GetAccountOptions", .shared),
            accounts("LogIn", .blind, owner: .fails(.unauthenticated)) {
                #"{"email":"\#($0.email)","password":"a wrong guess"}"#
            },
            accounts("LogOut", .blind) { #"{"token":"\#($0.endedToken)"}"# },
            accounts("SignUp", .refused(.alreadyExists), owner: .fails(.alreadyExists)) {
                #"{"email":"\#($0.email)","password":"a wrong guess"}"#
            },
            accounts("CreateAdministrator", .refused(.invalidArgument), owner: .fails(.invalidArgument)) { _ in
                #"{"code":"AAAAA-AAAAA","email":"root@example.org","password":"a wrong guess"}"#
            },
            accounts("ResetPassword", .refused(.invalidArgument), owner: .fails(.invalidArgument)) { _ in
                #"{"code":"AAAAA-AAAAA","password":"a wrong guess"}"#
            },
            // It sends no mail, and says so to all.
            mail("RequestPasswordReset", .refused(.failedPrecondition), owner: .fails(.failedPrecondition)) {
                #"{"email":"\#($0.email)"}"#
            },
            mail("SendInvitation", owner: .fails(.failedPrecondition)) { _ in #"{"email":"bob@example.org"}"# },
            administration("ListAccounts"),
            administration("ListAllSecurityEvents"),
            administration("CreateInvitation"),
            administration("SetRoles") { #"{"email":"\#($0.email)","roles":["ROLE_USER","ROLE_ADMIN"]}"# },
            administration("LockAccount") { #"{"email":"\#($0.email)"}"# },
            administration("CreateResetCode") { #"{"email":"\#($0.email)"}"# },
            // For another account it is not the present one.
            accounts("ChangePassword", .refused(.invalidArgument)) { _ in
                #"{\#(password),"newPassword":"another long one"}"#
            },
        ]
    }()

    private static let common: [ScopeRow] = {
        let (echo, health) = (ScopeService("rpc.v1.EchoService"), ScopeService("rpc.v1.HealthService"))
        let (reflection, stats) = (ScopeService("rpc.v1.ReflectionService"), ScopeService("rpc.v1.StatsService"))
        let healthOfGRPC = ScopeService(fullName: "grpc.health.v1.Health")
        let reflectionOfGRPC = ScopeService(fullName: "grpc.reflection.v1.ServerReflection")
        return [
            echo("Echo", .shared), echo("EchoStream", .shared) { _ in #"{"count":1}"# }, echo("EchoJoined", .shared),
            echo("EchoEach", .shared), health("Check", .shared), health("Watch", .shared),
            reflection("ListServices", .shared),
            reflection("GetDescriptors", .shared) { _ in #"{"symbols":["waymark.rpc.v1.EchoService"]}"# },
            stats("GetStats"), stats("WatchStats"), healthOfGRPC("Check", .shared), healthOfGRPC("Watch", .shared),
            reflectionOfGRPC("ServerReflectionInfo", .shared) { _ in #"{"listServices":""}"# },
        ]
    }()

    /// What services ask of each other. Accounts are refused, so what they would see does not matter.
    private static let services: [ScopeRow] = {
        let (sessions, areas) = (ScopeService("accounts.v1.SessionService"), ScopeService("places.v1.HeldAreaService"))
        let albums = ScopeService("photos.v1.AlbumSearchService")
        let digest = #"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="#
        return [
            sessions("CheckToken", owner: .fails(.notFound)) { _ in #"{"digest":"\#(digest)"}"# },
            sessions("BeginSession") { _ in #"{"deploymentToken":"\#(digest)","roles":["ROLE_USER"]}"# },
            areas("HoldArea") { #"{"pinId":"\#($0.pin)","centre":\#(point)}"# },
            areas("ReleaseAreas") { #"{"pinId":"\#($0.pin)"}"# },
            areas("ForgetFindings") { _ in "{}" },
            albums("WatchSummaries"),
            albums("SearchAlbums") { #"{"pinId":"\#($0.pin)","generation":"1","centre":\#(point),"radiusM":50}"# },
            albums("ChooseNetworks") { _ in #"{"choice":{"networks":["catalog"]}}"# },
            albums("ForgetPin") { #"{"pinId":"\#($0.pin)"}"# },
            ScopeService("replication.v1.ReplicationService")("GetReplication", .shared),
        ]
    }()

    /// After these, things are gone.
    private static let ends = [
        ScopeService("shares.v1.ShareService")("DeleteShare", .blind) { #"{"id":"\#($0.share)"}"# },
        ScopeService("shares.v1.GrantService")("DeleteGrant", .blind) { #"{"id":"\#($0.grant)"}"# },
        ScopeService("lists.v1.ListService")("DeleteList", .hidden) { #"{"id":"\#($0.list)"}"# },
        ScopeService("photos.v1.UploadService")("ListUploads"),
        ScopeService("photos.v1.UploadService")("DeletePhoto", .hidden) { #"{"id":"\#($0.photo)"}"# },
        // Another account's has the same name.
        ScopeService("photos.v1.NetworkKeyService")("DeleteNetworkKey", .blind) { _ in #"{"network":"immich"}"# },
        ScopeService("pins.v1.PinService")("MovePin", .hidden) {
            #"{"id":"\#($0.pin)","position":\#(point),"requestId":"move"}"#
        },
        ScopeService("pins.v1.PinService")("DeletePin", .hidden) { #"{"id":"\#($0.pin)","requestId":"delete"}"# },
        ScopeService("photos.v1.AlbumSearchService")("ForgetAccount") { _ in "{}" },
        ScopeService("posts.v1.PostService")("DeletePost"),
        ScopeService("posts.v1.PostService")("RemovePost") { #"{"id":"\#($0.post)"}"# },
        ScopeService("places.v1.PlacesService")("DeleteDataset") { _ in #"{"name":"scope"}"# },
        // Which ends all sessions.
        ScopeService("accounts.v1.PasskeyService")("ClearPasskeys") { #"{"email":"\#($0.email)"}"# },
    ]
}
