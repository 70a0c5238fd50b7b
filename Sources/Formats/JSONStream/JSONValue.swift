internal import Bytes

/// A small JSON text as a value, for texts whose members are not known beforehand and whose meaning must not depend on
/// who reads them: a name that an object has twice is refused, and so is a text that is not UTF-8.
package enum JSONValue: Sendable, Equatable {
    case object([String: JSONValue])
    case array([JSONValue])
    case string(String)
    /// As it is written.
    case number(String)
    case literal(JSONLiteral)

    /// Objects and arrays within each other that are read.
    static let deepest = 8

    /// The largest whole number up to which a Double has all.
    private static let exactDoubles = 0.0...9_007_199_254_740_992

    package init(reading json: [UInt8]) throws(JSONValueError) {
        guard !LoneSurrogate.isIn(json) else { throw JSONValueError("an escape in it is half of a character") }
        let reader = JSONValueReader()
        let events = JSONEvents(reader)
        let isRead = unsafe json.withUnsafeBytes { unsafe events.feed($0) } && events.finish()
        if let problem = reader.problem { throw JSONValueError(problem) }
        guard isRead, let value = reader.value else { throw JSONValueError(events.problem) }
        self = value
    }

    package var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
    package var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    package var string: String? { if case .string(let text) = self { text } else { nil } }

    /// A number that is not negative, rounded down; nil for one that a Double has not exactly.
    package var count: Int64? {
        guard case .number(let digits) = self, let number = Double(digits), Self.exactDoubles.contains(number) else {
            return nil
        }
        return Int64(number)
    }

    /// Whether it is that text, byte for byte: Swift's own comparison takes different forms of a character as equal.
    package func isString(_ text: String) -> Bool { string?.utf8.elementsEqual(text.utf8) ?? false }
}

/// Why a text is no JSON, or not one that is read as a value.
package struct JSONValueError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

/// Puts values together from yajl's events.
private final class JSONValueReader: JSONVisitor {
    /// An object or array whose end has not come yet.
    private struct Open {
        let isObject: Bool
        var members: [String: JSONValue] = [:]
        /// Of the member that comes next.
        var name = ""
        var elements: [JSONValue] = []
    }

    private var open: [Open] = []
    private(set) var value: JSONValue?
    private(set) var problem: String?

    func startObject() -> Bool { start(Open(isObject: true)) }
    func startArray() -> Bool { start(Open(isObject: false)) }
    func endObject() -> Bool { open.popLast().map { put(.object($0.members)) } ?? false }
    func endArray() -> Bool { open.popLast().map { put(.array($0.elements)) } ?? false }

    func key(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let name = unsafe text(of: bytes), let last = open.indices.last else { return false }
        guard open[last].members[name] == nil else { return refuse("a member is there twice") }
        open[last].name = name
        return true
    }

    func string(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let text = unsafe text(of: bytes) else { return false }
        return put(.string(text))
    }

    func number(_ bytes: UnsafeRawBufferPointer) -> Bool { put(.number(unsafe String(decoding: bytes, as: UTF8.self))) }

    func literal(_ literal: JSONLiteral) -> Bool { put(.literal(literal)) }

    private func text(of bytes: UnsafeRawBufferPointer) -> String? {
        let text = unsafe String(validating: bytes, as: UTF8.self)?.streamSafe
        if text == nil { _ = refuse("it is not UTF-8") }
        return text
    }

    private func start(_ container: Open) -> Bool {
        guard open.count < JSONValue.deepest else { return refuse("it is more than \(JSONValue.deepest) levels deep") }
        open.append(container)
        return true
    }

    /// Gives a whole value to what it is in.
    private func put(_ new: JSONValue) -> Bool {
        guard let last = open.indices.last else {
            value = new
            return true
        }
        if open[last].isObject { open[last].members[open[last].name] = new } else { open[last].elements.append(new) }
        return true
    }

    private func refuse(_ problem: String) -> Bool {
        self.problem = problem
        return false
    }
}
