internal import Bytes
internal import Files
internal import JSONStream
internal import OpenIDConnect
internal import Refusals

/// The operator's file of login providers: an object of JSON with the list "providers".
package enum ProviderFile {
    /// Bytes of the file, and of one with a secret.
    private static let longest = 256 << 10
    private static let longestSecret = 4096
    private static let maximumProviders = 20

    /// Why the file can't be used: it names the file, the provider and the field.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads the file, and those with secrets, whose names are relative to its folder. Blocks.
    package static func read(_ path: String) throws(Problem) -> [ProviderConfig] {
        let folder = DiskFile.folder(of: path)
        do {
            let value = try JSONValue(reading: try SmallFile.read(path, limit: longest))
            guard let members = value.object, members.count == 1, let list = members["providers"]?.array else {
                throw Refusal(missing: "providers", needed: "an object with this list alone is")
            }
            guard (1...maximumProviders).contains(list.count) else {
                throw Refusal("providers", list.count, "providers", allowed: "1 to \(maximumProviders) are")
            }
            let providers = try list.enumerated().map { try provider($1, at: $0, folder) }
            for (index, provider) in providers.enumerated()
            where providers[..<index].contains(where: { $0.name == provider.name }) {
                throw Refusal("providers[\(index)].name", "\(provider.name.quoted) is there twice")
            }
            return providers
        } catch {
            throw Problem(description: "\(path): \(error)")
        }
    }

    private static func provider(_ value: JSONValue, at index: Int, _ folder: String) throws -> ProviderConfig {
        guard let members = value.object else {
            throw Refusal("providers[\(index)]", "something else is not allowed; an object is")
        }
        let place = members["name"]?.string.map { "provider \($0.quoted), " } ?? "providers[\(index)]."
        do throws(Refusal) {
            return try ProviderEntry(members).config { name throws(Refusal) in try secret(name, in: folder) }
        } catch {
            throw Refusal("\(place)\(error.field)", error.problem)
        }
    }

    private static func secret(_ name: String, in folder: String) throws(Refusal) -> String {
        let path = name.begins(with: "/") ? name : "\(folder)/\(name)"
        let bytes: [UInt8]
        do throws(SmallFile.Problem) {
            bytes = try SmallFile.read(path, limit: longestSecret)
        } catch {
            throw Refusal("client_secret_file", "\(error)")
        }
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard !line.isEmpty, line.allSatisfy({ (0x20..<0x7f).contains($0) }) else {
            throw Refusal("client_secret_file", "the first line of \(path) is no secret; visible characters are")
        }
        return String(decoding: line, as: UTF8.self)
    }
}

/// One object of the list. A member that is not known is refused: it may be one that was misspelt.
private struct ProviderEntry {
    private static let names: Set<String> = [
        "name", "label", "preset", "issuer", "client_id", "client_secret_file", "scopes", "endpoints", "app_audiences",
        "sign_up", "trust_email", "graph_url",
    ]
    private static let endpointNames: Set<String> = ["authorization", "token", "jwks", "userinfo", "app_jwks"]
    private static let longestText = 255
    private static let facebook = "https://www.facebook.com"
    private static let graphVersion = "v24.0"

    private let members: [String: JSONValue]
    private let endpoints: [String: JSONValue]

    init(_ members: [String: JSONValue]) throws(Refusal) {
        self.members = members
        if let endpoints = members["endpoints"] {
            guard let object = endpoints.object else { throw Refusal("endpoints", "an object is needed") }
            self.endpoints = object
        } else {
            endpoints = [:]
        }
        if let name = members.keys.filter({ !Self.names.contains($0) }).min() {
            throw Refusal(name, "it is not known; \(Self.names.sorted().joined(separator: ", ")) are")
        }
        if let name = endpoints.keys.filter({ !Self.endpointNames.contains($0) }).min() {
            throw Refusal(
                "endpoints.\(name)", "it is not known; \(Self.endpointNames.sorted().joined(separator: ", ")) are")
        }
    }

    func config(secret: (String) throws(Refusal) -> String) throws(Refusal) -> ProviderConfig {
        let name = try text("name")
        guard name.utf8.count <= 40, name.utf8.allSatisfy({ Self.isOfName($0) }) else {
            throw Refusal("name", text: name, allowed: "at most 40 lower-case letters, digits and hyphens are")
        }
        let isFacebook =
            try optional("preset").map { preset throws(Refusal) in
                guard preset == "facebook" else { throw Refusal("preset", text: preset, allowed: "facebook is") }
                return true
            } ?? false
        guard isFacebook || members["graph_url"] == nil else {
            throw Refusal("graph_url", "it is for the preset facebook alone")
        }
        let issuer = isFacebook ? try optional("issuer") ?? Self.facebook : try text("issuer")
        let allowsHTTP = issuer.begins(with: "http://")
        func address(_ text: String?, _ field: String) throws(Refusal) -> String? {
            guard let text else { return nil }
            return try ProviderAddress.checked(text, field, allowsHTTP: allowsHTTP)
        }
        _ = try address(issuer, "issuer")
        let graph =
            isFacebook
            ? try address(optional("graph_url"), "graph_url") ?? "https://graph.facebook.com/\(Self.graphVersion)" : nil
        var overrides = ProviderMetadata.Overrides()
        overrides.authorization = try address(endpoint("authorization"), "endpoints.authorization")
        overrides.token = try address(endpoint("token"), "endpoints.token") ?? graph.map { "\($0)/oauth/access_token" }
        overrides.keys = try address(endpoint("jwks"), "endpoints.jwks")
        overrides.userInfo = try address(endpoint("userinfo"), "endpoints.userinfo")
        if isFacebook { overrides.authentication = .post }
        let ofApps = try address(endpoint("app_jwks"), "endpoints.app_jwks")
        let isReal = issuer == Self.facebook
        let clientSecret = try optional("client_secret_file").map(secret)
        guard !isFacebook || clientSecret != nil else {
            throw Refusal(missing: "client_secret_file", needed: "a file with the app's secret is")
        }
        return ProviderConfig(
            name: name, label: try text("label"), issuers: isReal ? [issuer, "https://facebook.com"] : [issuer],
            clientID: try text("client_id"), clientSecret: clientSecret,
            scopes: try scopes(isFacebook), overrides: overrides,
            appAudiences: try list("app_audiences") ?? [],
            appKeys: ofApps ?? (isReal ? "https://limited.facebook.com/.well-known/oauth/openid/jwks/" : nil),
            signsUp: try flag("sign_up"), trustsEmail: try flag("trust_email"), graph: graph)
    }

    private func scopes(_ isFacebook: Bool) throws(Refusal) -> [String] {
        let scopes = try list("scopes") ?? ["openid", "email", isFacebook ? "public_profile" : "profile"]
        guard scopes.contains(where: { $0 == "openid" }), !scopes.contains(where: { $0.holds(" ") }) else {
            throw Refusal("scopes", "names without blanks are needed, and openid among them")
        }
        return scopes
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }

    private func text(_ name: String) throws(Refusal) -> String {
        guard let text = try optional(name) else { throw Refusal(missing: name, needed: "a text is") }
        return text
    }

    private func optional(_ name: String) throws(Refusal) -> String? { try Self.text(members[name], name) }

    private func endpoint(_ name: String) throws(Refusal) -> String? {
        try Self.text(endpoints[name], "endpoints.\(name)")
    }

    private static func text(_ value: JSONValue?, _ field: String) throws(Refusal) -> String? {
        guard let value else { return nil }
        guard let text = value.string, (1...longestText).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f })
        else { throw Refusal(field, "a text of 1 to \(longestText) bytes is needed, without control characters") }
        return text
    }

    private func list(_ name: String) throws(Refusal) -> [String]? {
        guard let value = members[name] else { return nil }
        guard let elements = value.array, (1...20).contains(elements.count) else {
            throw Refusal(name, "a list of 1 to 20 texts is needed")
        }
        var texts: [String] = []
        for (index, element) in elements.enumerated() {
            if let text = try Self.text(element, "\(name)[\(index)]") { texts.append(text) }
        }
        return texts
    }

    private func flag(_ name: String) throws(Refusal) -> Bool {
        switch members[name] {
        case nil, .literal(.no): false
        case .literal(.yes): true
        default: throw Refusal(name, "true or false is needed")
        }
    }
}
