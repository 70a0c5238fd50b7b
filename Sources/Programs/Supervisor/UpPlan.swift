/// The services of a whole Waymark on one machine, and how each is started.
package struct UpPlan: Sendable {
    package static let places = "places-service"
    package static let pins = "pin-service"
    package static let photos = "photo-service"
    package static let gateway = "gateway"

    /// The names of the services behind the gateway in flags, folders and reports.
    package static let shortNames = [places: "places", pins: "pins", photos: "photos"]

    let folder: UpFolder
    let programs: ProgramFolder
    /// Where the gateway listens: "127.0.0.1:7700".
    let gatewayAddress: String
    /// Where the gateway speaks HTTP: "127.0.0.1:7780".
    let webAddress: String
    /// The port of the gateway's metrics, with those of the services behind it; 0 for free ones.
    var adminPort: UInt16 = 0
    /// Whether calls without a token act as the profile "local" even when the gateway is not on loopback.
    let isOpen: Bool
    /// Whether logs go to this process's standard error.
    let isVerbose: Bool
    /// The folder that photo-service reads pictures from; nil when there is none.
    var pictures: String?
    /// A file with the tokens that the gateway accepts; nil when there is none.
    var tokenFile: String?
    /// What it shows browsers; nil for plain HTTP.
    var certificate: UpCertificate?
    var passed = PassedFlags()

    package init(
        folder: UpFolder, programs: ProgramFolder, gatewayAddress: String, webAddress: String, adminPort: UInt16 = 0,
        isOpen: Bool, isVerbose: Bool, pictures: String? = nil, tokenFile: String? = nil,
        certificate: UpCertificate? = nil, passed: PassedFlags = PassedFlags()
    ) {
        self.folder = folder
        self.programs = programs
        self.gatewayAddress = gatewayAddress
        self.webAddress = webAddress
        self.adminPort = adminPort
        self.isOpen = isOpen
        self.isVerbose = isVerbose
        self.pictures = pictures
        self.tokenFile = tokenFile
        self.certificate = certificate
        self.passed = passed
    }

    /// All services. One that calls others starts in a later turn, when their addresses are known.
    package func services() throws -> [ServiceProcess] {
        let tlsFlags = certificate.map { ["--http-tls-certificate", $0.certificate, "--http-tls-key", $0.key] } ?? []
        let photoFlags = pictures.map { ["--pictures", $0] } ?? []
        return [
            try backend(Self.places, turn: 0, flags: passed.places),
            try backend(Self.photos, turn: 0, flags: photoFlags + passed.photos),
            try backend(Self.pins, turn: 1, flags: passed.pins, peers: [Self.places, Self.photos]),
            try service(
                Self.gateway, turn: 2, address: gatewayAddress, web: webAddress,
                flags: ["--data", folder.folder(Self.gateway)] + (isOpen ? ["--open"] : [])
                    + (tokenFile.map { ["--token-file", $0] } ?? []) + tlsFlags + passed.gateway,
                peers: [Self.places, Self.pins, Self.photos]),
        ]
    }

    /// A service that keeps data, on a port that it chooses itself.
    private func backend(
        _ name: String, turn: Int, flags: [String] = [], peers: [String] = []
    ) throws -> ServiceProcess {
        let data = folder.folder(Self.shortNames[name] ?? name)
        return try service(
            name, turn: turn, address: "127.0.0.1:0", flags: ["--data", data] + flags, peers: peers)
    }

    /// A service that is given the addresses of its peers.
    private func service(
        _ name: String, turn: Int, address: String, web: String? = nil, flags: [String], peers: [String]
    ) throws -> ServiceProcess {
        let fixed = ["--key-file", folder.key.path] + flags
        return ServiceProcess(
            name: name, program: try programs.path(of: name), turn: turn, address: address, web: web,
            admin: admin(name), logPath: logPath(name)
        ) { addresses in
            fixed + peers.flatMap { peer in addresses[peer].map { ["--\(Self.shortNames[peer] ?? peer)", $0] } ?? [] }
        }
    }

    private func admin(_ name: String) -> String {
        let order = [Self.gateway, Self.places, Self.pins, Self.photos]
        let offset = UInt16(order.firstIndex(of: name) ?? 0)
        return "127.0.0.1:\(adminPort == 0 ? 0 : adminPort + offset)"
    }

    private func logPath(_ name: String) -> String? { isVerbose ? nil : folder.log(name) }
}
