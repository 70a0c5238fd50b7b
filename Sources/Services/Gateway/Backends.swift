import Contracts
import Daemon
import RPC
import Settings
import Wire

/// The services behind the gateway, and the calls that are forwarded to them unchanged.
struct Backends: Sendable {
    let places: RPCClient
    let pins: RPCClient
    let photos: RPCClient
    /// By the name of the program.
    private let clients: [String: RPCClient]

    /// Where they listen concerns no caller.
    init(_ config: Config, _ runtime: Runtime) {
        places = runtime.client(config.places, shown: "the places service")
        pins = runtime.client(config.pins, shown: "the pin service")
        photos = runtime.client(config.photos, shown: "the photo service")
        clients = [
            ServiceSettings.places.program: places, ServiceSettings.pins.program: pins,
            ServiceSettings.photos.program: photos,
        ]
    }

    /// Registers the methods of every service that others than services may ask, under their own names. Some are not
    /// forwarded as they are.
    func register(in router: inout Router) {
        router.forwardTiles(to: places)
        router.forwardPinPlaces(to: pins)
        router.forwardAlbums(to: photos, pins: pins)
        for service in ContractService.all {
            guard let client = client(of: service), service.methods.contains(where: { $0.role != .service }) else {
                continue
            }
            for method in service.methods where router.method(method.path) == nil {
                router.forward(method, to: client)
            }
        }
    }

    /// The only one of them that has a service; nil where it is the gateway's, or several have it.
    func client(of service: ContractService) -> RPCClient? {
        service.answeredBy.count == 1 ? service.answeredBy.first.flatMap { clients[$0] } : nil
    }

    /// The one of them that has a method which no other has.
    func client(of method: MethodDescriptor) throws(RPCError) -> RPCClient {
        guard let service = ContractService.all.first(where: { $0.name == method.service }),
            let client = client(of: service)
        else { throw RPCError(.unimplemented, "not one service alone has \(method.path)") }
        return client
    }

    func close() async {
        for client in clients.values { await client.close() }
    }
}
