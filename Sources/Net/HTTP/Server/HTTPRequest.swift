package import Budgets
package import Bytes

package enum HTTPVersion: Sendable { case http1, http2 }

/// One request with its complete body, or with one that is still coming.
package struct HTTPRequest: Sendable {
    /// "GET", as the client wrote it.
    package let method: String
    /// The path, its percent escapes decoded: "/waymark.rpc.v1.EchoService/Echo".
    package let path: String
    /// The query arguments, in order, decoded.
    package let query: HTTPFields
    package let headers: HTTPFields
    /// The address at the other end of the connection: "127.0.0.1". Empty when it has disconnected.
    package let peer: String
    package internal(set) var body: [UInt8] = []
    /// The body, where the responder takes it as it comes (`HTTPWork.takesParts`); nil where `body` is whole.
    package internal(set) var parts: HTTPBodyReader?
    package let version: HTTPVersion
    /// Its host, where the connection has read that before.
    let knownHost: Authority?
    /// The client that the request is counted for: by the address at the other end, until the responder has decided.
    package internal(set) var client: ClientKey
    /// The memory that it makes the server hold.
    package internal(set) var memory = RequestMemory.unbounded

    package init(
        method: String, path: String, query: HTTPFields = [], headers: HTTPFields = [], peer: String = "",
        client: ClientKey? = nil, body: [UInt8] = [], version: HTTPVersion = .http1,
        host: Authority? = nil
    ) {
        self.client = client ?? ClientKey(peer)
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.peer = peer
        self.body = body
        self.version = version
        knownHost = host
    }
}

extension HTTPRequest {
    /// Whom a request is for, by its Host.
    package enum Host: Sendable, Equatable {
        /// It does not say.
        case unnamed
        case named(Authority)
        case unreadable

        /// Whether it is one that no one else can make lead here.
        package var isSafe: Bool {
            switch self {
            case .unnamed: true
            case .named(let authority): authority.isSafe
            case .unreadable: false
            }
        }
    }

    package var host: Host { knownHost.map { .named($0) } ?? readHost }

    private var readHost: Host {
        let hosts = headers.values("host")
        guard let text = hosts.first, hosts.count > 1 || !text.isEmpty else { return .unnamed }
        guard hosts.count == 1, let authority = Authority(text) else { return .unreadable }
        return .named(authority)
    }

    /// Bytes of memory besides its body, and of what is kept with it while it is answered.
    var headBytes: Int { Self.ownBytes + path.utf8.count + query.heldBytes + headers.heldBytes }

    private static let ownBytes = 2 << 10
}

/// Names and values in order; a name may occur more than once.
package struct HTTPFields: Sendable, ExpressibleByArrayLiteral {
    package private(set) var all: [(name: String, value: String)]

    package init(arrayLiteral elements: (String, String)...) {
        all = []
        // Most are extended later.
        all.reserveCapacity(elements.count + 4)
        for element in elements { add(element.0, element.1) }
    }

    package mutating func add(_ name: String, _ value: String) { all.append((name, value)) }

    /// The first value of a name, ignoring case.
    package subscript(name: String) -> String? {
        for index in all.indices where Self.isSame(all[index].name, name) { return all[index].value }
        return nil
    }

    /// All values of a name.
    package func values(_ name: String) -> [String] {
        var values: [String] = []
        for index in all.indices where Self.isSame(all[index].name, name) { values.append(all[index].value) }
        return values
    }

    /// Bytes of memory: a text that is not short has a block of its own.
    fileprivate var heldBytes: Int { all.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + Self.entryBytes } }

    private static let entryBytes = 96

    /// Removes the blanks around the values.
    mutating func trim() {
        for index in all.indices {
            if let value = RequestRules.trimmed(all[index].value) { all[index].value = value }
        }
    }

    /// The same fields with names and values changed; nil when one can't be.
    func mapped(_ change: (String) -> String?) -> HTTPFields? {
        var fields = HTTPFields()
        for field in all {
            guard let name = change(field.name), let value = change(field.value) else { return nil }
            fields.add(name, value)
        }
        return fields
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        // This comes first: reading the bytes of a short string takes a copy.
        guard left.utf8.count == right.utf8.count else { return false }
        let (left, right) = (left.utf8Span.span, right.utf8Span.span)
        for index in left.indices where left[index] != right[index] && lower(left[index]) != lower(right[index]) {
            return false
        }
        return true
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
