internal import Synchronization

/// Reads the body of a request as it arrives; what is read makes room for more. For one task at a time.
package struct HTTPBodyReader: Sendable {
    private let read: @Sendable () async throws -> [UInt8]?

    init(_ read: @escaping @Sendable () async throws -> [UInt8]?) { self.read = read }

    /// Of a body that has come as a whole.
    package init(whole body: [UInt8]) {
        let rest = Rest(body)
        self.init { rest.bytes.withLock { $0.take() } }
    }

    /// The next bytes; nil at the end. Throws when the client has gone, or sends nothing for too long.
    package func next() async throws -> [UInt8]? { try await read() }

    private final class Rest: Sendable {
        let bytes: Mutex<[UInt8]?>

        init(_ body: [UInt8]) { bytes = Mutex(body.isEmpty ? nil : body) }
    }
}
