internal import Bytes

/// A request to a third-party server.
package struct HTTPClientRequest: Sendable, Equatable {
    /// "https://host/path?query"; http and https alone.
    package var url: String
    /// Names and values. A request with one that holds a control character is refused, and not sent.
    package var headers: [(name: String, value: String)]
    /// "HEAD", "PUT", "DELETE"; nil for GET, or POST when there is a body.
    package var method: String?
    package var body: [UInt8]?
    /// Its User-Agent, instead of the client's.
    package var agent: String?
    /// How it is signed, if it is.
    package var signing: RequestSigning?
    /// How long all of it may take; where the answer is read as it comes, how long no byte may come.
    package var timeout: Duration = .seconds(30)
    /// How long finding the host and connecting to it may take; nil for as long as all of it.
    package var connectTimeout: Duration?
    /// Bytes of the answer's body, unpacked.
    package var maximumBytes = 8 << 20
    /// How many redirects are followed.
    package var redirects = 0
    /// Whether it may go to addresses of the public internet alone, by redirects too, and those lead to https alone.
    /// The address that is connected to is judged, whatever its name says.
    package var isPublicOnly = false
    /// Notes how much of the answer has come.
    package var progress: TransferProgress?

    package init(url: String, headers: [(name: String, value: String)] = [], body: [UInt8]? = nil) {
        self.url = url
        self.headers = headers
        self.body = body
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.url == right.url && left.method == right.method && left.body == right.body
            && left.agent == right.agent && left.signing == right.signing && left.timeout == right.timeout
            && left.connectTimeout == right.connectTimeout
            && left.maximumBytes == right.maximumBytes && left.redirects == right.redirects
            && left.isPublicOnly == right.isPublicOnly
            && left.headers.elementsEqual(right.headers, by: ==)
    }
}

/// A key for AWS's Signature Version 4, which S3 and its like ask for. Its text never holds the secret.
package struct RequestSigning: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible {
    package let keyID: String
    package let secret: String
    /// "eu-central-1"
    package let region: String
    /// "s3"
    package let service: String

    package init(keyID: String, secret: String, region: String, service: String) {
        self.keyID = keyID
        self.secret = secret
        self.region = region
        self.service = service
    }

    package var description: String { "a signature for \(service) in \(region)" }
    package var debugDescription: String { description }
}

/// What was answered.
package struct HTTPClientResponse: Sendable, Equatable {
    package var status: Int
    /// By lower-case name; values of the same name stand behind each other with a comma between them.
    package var headers: [String: String]
    package var body: [UInt8]

    package init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// Names and values as they stand in a query or in a form: `application/x-www-form-urlencoded`.
package enum FormText {
    package static func text(_ fields: [(String, String)]) -> String {
        fields.map { "\(URLText.escaped($0.0))=\(URLText.escaped($0.1))" }.joined(separator: "&")
    }

    /// A path, of which the slashes stay.
    package static func path(_ text: String) -> String {
        text.split(at: "/", omittingEmptySubsequences: false).map { URLText.escaped(String($0)) }
            .joined(separator: "/")
    }
}
