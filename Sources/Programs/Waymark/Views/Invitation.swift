import Bytes
import Supervisor

/// How to use a gateway that was started: from here, from elsewhere, and with which token.
struct Invitation: Sendable {
    private let gateway: String
    private let web: String?
    private let access: UpAccess?
    /// What browsers are shown; nil for plain HTTP.
    private let certificate: UpCertificate?
    private let publicURL: String?
    /// How a phone is logged in; empty when there is no link.
    private let link: [String]

    /// Where the gateway listens for calls and for HTTP.
    init(
        _ gateway: String, _ web: String?, _ access: UpAccess?, _ certificate: UpCertificate?, _ publicURL: String?,
        link: [String]
    ) {
        self.certificate = certificate
        self.publicURL = publicURL
        self.link = link
        self.gateway = gateway
        self.web = web
        self.access = access
    }

    var lines: [String] {
        fromElsewhere + trust + link + token + [
            "", "Once: waymark settings set --enable all\(flags)",
            "Try:  waymark pin add 60.1699 24.9384 --watch\(flags)",
        ]
    }

    private var fromElsewhere: [String] {
        guard access?.isForOthers == true else { return [] }
        let scheme = certificate == nil ? "http" : "https"
        let maps = web.map { UpAccess.reached($0).map { "  \(scheme)://\($0)/" } } ?? []
        let calls = UpAccess.reached(gateway).map { "  waymark … --target \($0)" }
        if certificate == nil { return ["", "From other machines, without encryption:"] + maps + calls }
        return ["", "From other machines:"] + maps + calls.map { "\($0)  (not encrypted)" }
    }

    /// What it means for browsers that it is, or is not, https.
    private var trust: [String] {
        if let fingerprint = certificate?.fingerprint {
            return [
                "",
                "It is https with a certificate that this machine made for itself. Browsers warn of that: no authority",
                "that they know vouches for it. Before you continue there, compare its SHA-256 fingerprint with the one",
                "in the browser's details of the certificate:", "  \(fingerprint)",
                "The map may then ask for your position. Passkeys and offline use need a certificate that the device",
                "trusts: --tls-certificate FILE and --tls-key FILE take one, and nothing warns either.",
            ]
        }
        let isPlain = certificate == nil && !(publicURL?.lowercased().begins(with: "https:") ?? false)
        guard access?.isForOthers == true, isPlain else { return [] }
        return [
            "", "Over plain http others on the network can read along, and browsers don't allow a page your position,",
            "passkeys or offline use. --tls, or a certificate by --tls-certificate, makes it https.",
        ]
    }

    private var token: [String] {
        guard let file = access?.tokenFile else {
            return access?.isForOthers == true ? ["", "Everybody who reaches it is let in (--open)."] : []
        }
        return [
            "", "Clients need a token. It is in \(file): cat \(Self.quoted(file))",
            "  in a browser    paste it when the map asks for it",
            "  waymark         --token-file \(Self.quoted(file)), or the token itself in WAYMARK_TOKEN",
            "  other programs  Authorization: Bearer TOKEN",
        ]
    }

    /// What a command on this machine needs to reach the gateway.
    private var flags: String {
        let here = UpAccess.reachedHere(gateway)
        let target = here == ClientOptions.defaultTarget ? "" : " --target \(here)"
        return target + (access?.tokenFile.map { " --token-file \(Self.quoted($0))" } ?? "")
    }

    /// A word as a shell reads it, in quotes only where it needs them.
    static func quoted(_ word: String) -> String {
        let plain = word.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "/._-+,:@%".utf8.contains(byte)
        }
        return plain && !word.isEmpty ? word : CompletionScript.quoted(word)
    }
}
