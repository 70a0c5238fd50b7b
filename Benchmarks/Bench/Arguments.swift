import EventLoops

/// What the worker is asked to do: `NAME --key value …`.
struct Arguments: Sendable {
    let name: String
    private let values: [String: String]

    /// Why the arguments can't be used.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    init(_ arguments: [String]) throws(Problem) {
        guard let name = arguments.first else { throw Problem(description: "the name of a case is needed") }
        var values: [String: String] = [:]
        var rest = arguments.dropFirst()
        while let key = rest.popFirst() {
            guard key.hasPrefix("--"), let value = rest.popFirst() else {
                throw Problem(description: "\(key): --key value is needed")
            }
            values[String(key.dropFirst(2))] = value
        }
        self.name = name
        self.values = values
    }

    func text(_ key: String) throws(Problem) -> String {
        guard let value = values[key] else { throw Problem(description: "--\(key) is needed") }
        return value
    }

    /// Nil when it is not given.
    func optional(_ key: String) -> String? { values[key] }

    func number(_ key: String, _ fallback: Double) throws(Problem) -> Double {
        guard let text = values[key] else { return fallback }
        if let number = Double(text), number >= 0 { return number }
        throw Problem(description: "--\(key) \(text) is no number")
    }

    func endpoint(_ key: String) throws(Problem) -> Endpoint {
        let text = try text(key)
        guard let endpoint = Endpoint(text) else { throw Problem(description: "--\(key) \(text) is not HOST:PORT") }
        return endpoint
    }

    /// Process numbers, separated by commas.
    var servers: [Int32] { (values["servers"] ?? "").split(separator: ",").compactMap { Int32($0) } }
}
