import Bytes
import Contracts
import Daemon
import RPC

/// The services behind the gateway, and the calls that are forwarded to them unchanged.
struct Backends: Sendable {
    let places: RPCClient
    let pins: RPCClient
    let photos: RPCClient

    /// Where they listen concerns no caller.
    init(_ config: Config, _ runtime: Runtime) {
        places = runtime.client(config.places, shown: "the places service")
        pins = runtime.client(config.pins, shown: "the pin service")
        photos = runtime.client(config.photos, shown: "the photo service")
    }

    /// Registers every public method of the services under its own name.
    func register(in router: inout Router) {
        router.forwardTiles(to: places)
        for method in PlacesServiceMethods.all where method.path != PlacesServiceMethods.getTile.path {
            router.forward(method, to: places)
        }
        let ofPins =
            PinServiceMethods.all + AccountServiceMethods.all + AccountAdministrationServiceMethods.all
            + APIKeyServiceMethods.all + AccountMailServiceMethods.all + PasskeyServiceMethods.all
            + LoginProviderServiceMethods.all + SettingsServiceMethods.all + PostServiceMethods.all
            + ShareServiceMethods.all + GrantServiceMethods.all + ListServiceMethods.all + StarServiceMethods.all
            + PinFileServiceMethods.all
        router.forwardPinPlaces(to: pins)
        for method in ofPins where method.path != PinServiceMethods.listPinPlaces.path {
            router.forward(method, to: pins)
        }
        let ofPhotos =
            PhotoServiceMethods.all + UploadServiceMethods.all + NetworkKeyServiceMethods.all
            + PhotoNetworkServiceMethods.all
        router.forwardAlbums(to: photos, pins: pins)
        let ofAlbums = Set(ComingAlbums.methods.map(\.method.path))
        for method in ofPhotos where !ofAlbums.contains(method.path) { router.forward(method, to: photos) }
    }

    /// The service that has a method of pins, accounts or photos.
    func client(of method: MethodDescriptor) -> RPCClient {
        method.service.begins(with: "waymark.photos.") ? photos : pins
    }

    func close() async {
        for client in [places, pins, photos] { await client.close() }
    }
}
