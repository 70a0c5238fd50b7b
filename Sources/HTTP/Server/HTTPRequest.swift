/// One request, its body whole.
package struct HTTPRequest: Sendable {
    /// "GET", as the client wrote it.
    package let method: String
    /// The path, its percent escapes resolved: "/waymark.rpc.v1.EchoService/Echo".
    package let path: String
    /// The arguments behind the question mark, in their order, resolved.
    package let query: HTTPFields
    package let headers: HTTPFields
    /// The address at the other end of the connection: "127.0.0.1". Empty when it is gone.
    package let peer: String
    package internal(set) var body: [UInt8] = []

    package init(
        method: String, path: String, query: HTTPFields = [], headers: HTTPFields = [], peer: String = "",
        body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.peer = peer
        self.body = body
    }
}

/// Names and values in their order; a name may come more than once.
package struct HTTPFields: Sendable, ExpressibleByArrayLiteral {
    package private(set) var all: [(name: String, value: String)]

    package init(arrayLiteral elements: (String, String)...) { all = elements.map { (name: $0.0, value: $0.1) } }

    package mutating func add(_ name: String, _ value: String) { all.append((name, value)) }

    /// The first value of a name; upper and lower case are the same.
    package subscript(name: String) -> String? { all.first { Self.isSame($0.name, name) }?.value }

    /// All values of a name.
    package func values(_ name: String) -> [String] { all.filter { Self.isSame($0.name, name) }.map(\.value) }

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
        guard left.utf8.count == right.utf8.count else { return false }
        if left == right { return true }
        // Most names differ where they begin.
        guard let (first, other) = left.utf8.first.flatMap({ first in right.utf8.first.map { (first, $0) } }),
            lower(first) == lower(other)
        else { return false }
        return zip(left.utf8, right.utf8).allSatisfy { lower($0) == lower($1) }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
