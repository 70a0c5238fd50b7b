import Supervisor

/// How to use a gateway that was started: from here, from elsewhere, and with which token.
struct Invitation: Sendable {
    private let gateway: String
    private let web: String?
    private let access: UpAccess?
    /// How a phone is logged in; empty when there is no link.
    private let link: [String]

    /// Where the gateway listens for calls and for HTTP.
    init(_ gateway: String, _ web: String?, _ access: UpAccess?, link: [String]) {
        self.link = link
        self.gateway = gateway
        self.web = web
        self.access = access
    }

    var lines: [String] {
        fromElsewhere + link + token + ["", "Try:  waymark pin add 60.1699 24.9384 --watch\(flags)"]
    }

    private var fromElsewhere: [String] {
        guard access?.isForOthers == true else { return [] }
        let maps = web.map { UpAccess.reached($0).map { "  http://\($0)/" } } ?? []
        return ["", "From other machines, without encryption:"] + maps
            + UpAccess.reached(gateway).map { "  waymark … --target \($0)" }
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
