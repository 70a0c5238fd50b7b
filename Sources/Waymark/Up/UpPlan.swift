/// The services of a whole Waymark on one machine, and what each is started with.
struct UpPlan: Sendable {
    static let places = "places-service"
    static let pins = "pin-service"
    static let photos = "photo-service"
    static let gateway = "gateway"

    /// What flags, folders and reports call the services behind the gateway.
    static let shortNames = [places: "places", pins: "pins", photos: "photos"]

    let folder: DataFolder
    let programs: ProgramFolder
    /// Where the gateway listens: "127.0.0.1:7700".
    let gatewayAddress: String
    /// Whether calls without a token act as the profile "local" even when the gateway is not on loopback.
    let isOpen: Bool
    /// Whether logs go to this process's standard error.
    let isVerbose: Bool

    /// All services; the gateway comes last, when the others' addresses are known.
    func services() throws -> [ServiceProcess] {
        [
            try backend(Self.places), try backend(Self.pins), try backend(Self.photos), try gateway(),
        ]
    }

    private func backend(_ name: String) throws -> ServiceProcess {
        let data = folder.folder(Self.shortNames[name] ?? name)
        let arguments = ["--data", data, "--key-file", folder.key.path]
        return ServiceProcess(
            name: name, program: try programs.path(of: name), turn: 0, address: "127.0.0.1:0", logPath: logPath(name)
        ) { _ in arguments }
    }

    private func gateway() throws -> ServiceProcess {
        let fixed = ["--key-file", folder.key.path] + (isOpen ? ["--open"] : [])
        return ServiceProcess(
            name: Self.gateway, program: try programs.path(of: Self.gateway), turn: 1, address: gatewayAddress,
            logPath: logPath(Self.gateway)
        ) { addresses in
            let peers = [Self.places, Self.pins, Self.photos]
            return fixed
                + peers.flatMap { name in addresses[name].map { ["--\(Self.shortNames[name] ?? name)", $0] } ?? [] }
        }
    }

    private func logPath(_ name: String) -> String? { isVerbose ? nil : folder.log(name) }
}
