import Bytes
import HTTPClient

/// Where objects are: a bucket of a store, and what all keys begin with.
package struct S3Address: Equatable, Sendable {
    /// How the bucket is named in a request.
    enum Style: String, Sendable {
        /// `https://host/bucket/key`, which every server that one runs oneself knows.
        case path
        /// `https://bucket.host/key`, which Amazon wants.
        case host
    }

    let bucket: String
    /// "" or "photos/": what all keys begin with.
    private(set) var prefix: String
    /// "https" or "http".
    let scheme: String
    /// "127.0.0.1:9000"
    let authority: String
    let region: String
    let style: Style

    /// The store, for messages: "https://127.0.0.1:9000".
    var endpoint: String { "\(scheme)://\(authority)" }

    /// `s3://BUCKET[/PREFIX]?endpoint=https://HOST:PORT&region=REGION&style=path|host`.
    package init(_ text: String) throws(BlobAddressError) {
        guard let address = text.after("s3://") else {
            throw BlobAddressError("\"\(text.prefix(100))\" is no such address; s3://BUCKET/PREFIX?endpoint=URL is")
        }
        let (place, query) = Self.halves(address, at: "?")
        let (bucket, prefix) = Self.halves(place, at: "/")
        let fields = try Self.fields(query)
        self.bucket = try Self.bucket(String(bucket))
        self.prefix = try Self.prefix(String(prefix))
        region = try Self.region(fields["region"] ?? "us-east-1")
        let endpoint = fields["endpoint"] ?? "https://s3.\(region).amazonaws.com"
        (scheme, authority) = try Self.endpoint(endpoint)
        let style = fields["style"] ?? (fields["endpoint"] == nil ? "host" : "path")
        guard let style = Style(rawValue: style) else {
            throw BlobAddressError("style is \"\(style.prefix(50))\"; path or host is needed")
        }
        self.style = style
    }

    /// What is in a folder below the prefix.
    package func below(_ folder: String) -> S3Address {
        var address = self
        address.prefix = "\(prefix)\(folder)/"
        return address
    }

    /// The address of an object, or of the bucket for "", with a query in the order and the form that are signed.
    func url(_ key: String, _ query: [(String, String)] = []) -> String {
        let base = style == .path ? "\(endpoint)/\(bucket)" : "\(scheme)://\(bucket).\(authority)"
        let path = key.isEmpty ? (style == .path ? "" : "/") : "/" + FormText.path(key)
        return base + path + (query.isEmpty ? "" : "?" + FormText.text(query.sorted { $0.0 < $1.0 }))
    }

    private static func halves(_ text: Substring, at mark: Unicode.Scalar) -> (Substring, Substring) {
        text.halves(at: mark) ?? (text, "")
    }

    private static func fields(_ query: Substring) throws(BlobAddressError) -> [String: String] {
        var fields: [String: String] = [:]
        for field in query.split(at: "&") {
            let (name, value) = halves(field, at: "=")
            guard ["endpoint", "region", "style"].contains(name) else {
                throw BlobAddressError("\"\(name.prefix(50))\" is not known; endpoint, region and style are")
            }
            guard fields.updateValue(URLText.unescaped(value), forKey: String(name)) == nil else {
                throw BlobAddressError("\(name) is there twice")
            }
        }
        return fields
    }

    private static func bucket(_ text: String) throws(BlobAddressError) -> String {
        let isGood = text.utf8.allSatisfy("abcdefghijklmnopqrstuvwxyz0123456789-.".utf8.contains)
        guard isGood, (3...63).contains(text.utf8.count), !text.begins(with: "-"), !text.begins(with: "."),
            !text.holds("..")
        else {
            throw BlobAddressError(
                "the bucket is \"\(text.prefix(70))\"; 3 to 63 of a to z, 0 to 9, - and . are needed")
        }
        return text
    }

    private static func prefix(_ text: String) throws(BlobAddressError) -> String {
        let parts = text.split(at: "/")
        guard text.utf8.count <= 512, !parts.contains(where: { $0.isSame(as: ".") || $0.isSame(as: "..") }),
            !text.holds("//")
        else {
            throw BlobAddressError(
                "the prefix is \"\(text.prefix(70))\"; at most 512 bytes without empty parts, . and .. are needed")
        }
        return parts.isEmpty ? "" : parts.joined(separator: "/") + "/"
    }

    private static func region(_ text: String) throws(BlobAddressError) -> String {
        let isGood = text.utf8.allSatisfy("abcdefghijklmnopqrstuvwxyz0123456789-".utf8.contains)
        guard isGood, (1...64).contains(text.utf8.count) else {
            throw BlobAddressError("region is \"\(text.prefix(70))\"; one like eu-central-1 is needed")
        }
        return text
    }

    private static func endpoint(_ text: String) throws(BlobAddressError) -> (scheme: String, authority: String) {
        // What stands before an @ may be a secret, which no message may hold.
        guard !text.holds("@") else {
            throw BlobAddressError("endpoint has a user or a password in it; --blob-credentials names a file for them")
        }
        let (scheme, rest) = Self.halves(text[...], at: ":")
        guard scheme == "https" || scheme == "http", let place = rest.after("//") else {
            throw BlobAddressError("endpoint is \"\(text.prefix(100))\"; one like https://host:9000 is needed")
        }
        let authority = place.before("/") ?? place
        let isGood = authority.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"/?#\\\"%".utf8.contains($0) }
        guard isGood, !authority.isEmpty else {
            throw BlobAddressError("endpoint is \"\(text.prefix(100))\"; one like https://host:9000 is needed")
        }
        return (String(scheme), String(authority))
    }
}
