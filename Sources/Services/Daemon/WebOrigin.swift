package import Arguments
import Bytes

/// "https://map.example.org", followed by a port when it is not the scheme's default.
package struct WebOrigin: Sendable, Equatable {
    package let text: String
    package let name: String
    package let isSecure: Bool

    /// Takes the origin of a URL; nil when it is not an http or https URL.
    package init?(_ url: String) {
        let lower = url.lowercased()
        guard let scheme = ["https://", "http://"].first(where: { lower.begins(with: $0) }),
            let host = lower.after(scheme).map({ String($0.until("/")) })
        else { return nil }
        let name = Self.name(ofHost: host)
        guard !name.isEmpty, !host.holds("@"), !host.holds("?") else { return nil }
        self.name = name
        text = scheme + host
        isSecure = scheme == "https://"
    }

    /// The origin that a browser names in a header: a scheme, a host and a port, and nothing else; nil for any other
    /// text, such as "null".
    package init?(header text: String) {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let text = text.lowercased()
        guard let scheme = ["https://", "http://"].first(where: { text.utf8.starts(with: $0.utf8) }),
            let authority = Authority(String(text.dropFirst(scheme.count)))
        else { return nil }
        name = authority.host
        self.text = scheme + authority.text
        isSecure = scheme == "https://"
    }

    /// Without the port and the brackets of an IPv6 address; empty when it has brackets and is none.
    private static func name(ofHost host: String) -> String {
        if host.utf8.first == UInt8(ascii: "[") { return Authority(host)?.host ?? "" }
        return String(Substring(host.utf8.prefix { $0 != UInt8(ascii: ":") }))
    }

    /// How browsers reach the gateway, as `--public-url` says; nil when it is not given.
    package static func publicURL(_ options: Options) throws(OptionError) -> WebOrigin? {
        guard let text = options["--public-url"] else { return nil }
        guard let origin = WebOrigin(text) else {
            throw OptionError("--public-url is \(text), http://… or https://… is needed")
        }
        return origin
    }
}
