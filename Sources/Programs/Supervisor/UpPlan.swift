import Arguments
import Settings

/// The services of a whole Waymark on one machine, and how each is started.
package struct UpPlan: Sendable {
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
    /// What else services get, by their names.
    var more: [String: [String]] = [:]

    package init(
        folder: UpFolder, programs: ProgramFolder, gatewayAddress: String, webAddress: String, adminPort: UInt16 = 0,
        isOpen: Bool, isVerbose: Bool, pictures: String? = nil, tokenFile: String? = nil,
        certificate: UpCertificate? = nil, passed: PassedFlags = PassedFlags(), more: [String: [String]] = [:]
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
        self.more = more
    }

    /// All services. One that calls others starts in a later turn, when their addresses are known.
    package func services() throws -> [ServiceProcess] {
        let tlsFlags = certificate.map { ["--http-tls-certificate", $0.certificate, "--http-tls-key", $0.key] } ?? []
        let photoFlags = pictures.map { ["--pictures", $0] } ?? []
        return [
            try service(.places, turn: 0),
            try service(.photos, turn: 0, flags: photoFlags),
            try service(.pins, turn: 1, peers: [.places, .photos]),
            try service(
                .gateway, turn: 2, address: gatewayAddress, web: webAddress,
                flags: (isOpen ? ["--open"] : []) + (tokenFile.map { ["--token-file", $0] } ?? []) + tlsFlags,
                peers: [.places, .pins, .photos]),
        ]
    }

    /// A service that is given the addresses of its peers; on a port that it chooses itself, if no address is said.
    private func service(
        _ service: ServiceSettings, turn: Int, address: String = "127.0.0.1:0", web: String? = nil,
        flags: [String] = [], peers: [ServiceSettings] = []
    ) throws -> ServiceProcess {
        let fixed =
            ["--key-file", folder.key.path, "--data", folder.folder(service.name)] + flags
            + passed.flags(of: service) + (more[service.name] ?? []) + beat(service)
        return ServiceProcess(
            name: service.program, program: try programs.path(of: service.program), turn: turn, address: address,
            web: web, admin: admin(service), logPath: isVerbose ? nil : folder.log(service.program)
        ) { addresses in
            fixed + peers.flatMap { peer in addresses[peer.program].map { ["--\(peer.name)", $0] } ?? [] }
        }
    }

    /// Where services that replicate what they write say that they do.
    private func beat(_ service: ServiceSettings) -> [String] {
        service.options.contains { $0.flag == "--replicate-beat" } ? ["--replicate-beat", folder.replicated] : []
    }

    private func admin(_ service: ServiceSettings) -> String {
        let offset = UInt16(ServiceSettings.all.firstIndex { $0.program == service.program } ?? 0)
        return "127.0.0.1:\(adminPort == 0 ? 0 : adminPort + offset)"
    }
}
