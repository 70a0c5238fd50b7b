import Arguments
import Bytes
import LiveNetworks
import Refusals

/// The servers that diffs are fetched from: those that the operator names, as what a file names is its writer's word.
struct DiffServers: Sendable {
    private static let flag = "--diff-servers"

    /// "https://download.geofabrik.de", without a slash at the end.
    private let origins: [String]

    init(_ origins: [String] = []) { self.origins = origins }

    init(_ options: Options) throws(OptionError) {
        var origins: [String] = []
        for text in (options[Self.flag] ?? "").split(at: ",") where !text.isEmpty {
            let url = try NetworkOptions.url(String(text), of: Self.flag)
            guard Self.parts(url)?.path == "" else {
                throw OptionError("\(Self.flag) has \(url); servers without a path are needed, divided by commas")
            }
            origins.append(url)
        }
        self.origins = origins
    }

    /// The folder at an address; nil for one at another server. It is asked as the operator has named the server, by
    /// https where the address has http.
    func folder(_ address: String) -> DiffFolder? {
        guard let (host, path) = Self.parts(address),
            let origin = origins.first(where: { Self.parts($0)?.host == host })
        else { return nil }
        return DiffFolder(address: origin + path, isPublic: origin.begins(with: "https://"))
    }

    /// Refuses a folder that can't be followed.
    func check(_ address: String) throws(Refusal) {
        guard !origins.isEmpty else {
            throw Refusal(
                address.isEmpty ? "follow" : "updates_url",
                "this service fetches diffs from no server; \(Self.flag) names those that it may ask")
        }
        guard address.isEmpty || folder(address) != nil else {
            let allowed = origins.joined(separator: ", ")
            throw Refusal("updates_url", text: address, allowed: "a folder at \(allowed) is")
        }
    }

    /// Why the folder that a file names can't be followed.
    func problem(_ address: String) -> String {
        "its diffs are at \(address.quoted), and this service fetches them from"
            + (origins.isEmpty ? " no server" : " \(origins.joined(separator: ", ")) alone")
            + "; \(Self.flag) names the servers"
    }

    /// The host and the path of an address, without a slash at the end.
    private static func parts(_ address: String) -> (host: String, path: String)? {
        guard let rest = address.after("https://") ?? address.after("http://"), rest.utf8.allSatisfy(isPlain) else {
            return nil
        }
        let host = rest.until("/")
        guard !host.isEmpty, !host.utf8.contains(UInt8(ascii: "@")) else { return nil }
        var path = String(rest.unicodeScalars.dropFirst(host.unicodeScalars.count))
        while path.unicodeScalars.last == "/" { path.unicodeScalars.removeLast() }
        return (String(host).asciiLowercased, path)
    }

    /// What a plain address is made of: no query, no blank, nothing that is written in another way.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: Array("-._~:/[]@".utf8).contains(byte)
        }
    }
}
