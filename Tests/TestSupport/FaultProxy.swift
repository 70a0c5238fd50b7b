package import EventLoops
import Glibc
import Synchronization

/// Stands between a client and a server and does to their bytes what a bad network does.
package final class FaultProxy: Sendable {
    /// What happens to a connection, both ways unless told otherwise.
    package enum Fault: Sendable, CustomStringConvertible {
        /// Each byte comes in a packet of its own.
        case split
        /// Every piece is late by so many milliseconds.
        case late(milliseconds: Int32)
        /// After so many bytes from the server nothing passes any more, either way, and nobody is told.
        case blackHole(after: Int)
        /// After so many bytes from the server both sides are reset.
        case reset(after: Int)
        /// After so many bytes from the server its end is told to the client, whose own side stays open.
        case halfClose(after: Int)
        /// After so many bytes from the server comes what nobody has sent.
        case garbage(after: Int)

        package var description: String {
            switch self {
            case .split: "split at every byte"
            case .late(let milliseconds): "late by \(milliseconds) ms"
            case .blackHole(let bytes): "a black hole after \(bytes) bytes"
            case .reset(let bytes): "a reset after \(bytes) bytes"
            case .halfClose(let bytes): "half closed after \(bytes) bytes"
            case .garbage(let bytes): "garbage after \(bytes) bytes"
            }
        }

        /// How many bytes of the server pass as they are.
        fileprivate var passes: Int {
            switch self {
            case .split, .late: .max
            case .blackHole(let bytes), .reset(let bytes), .halfClose(let bytes), .garbage(let bytes): bytes
            }
        }
    }

    private let listener: RawListener
    private let target: UInt16
    private let fault: Fault
    private let sockets = Mutex<[RawSocket]>([])

    /// Where a client finds it.
    package var endpoint: Endpoint { listener.endpoint }

    private init(to target: UInt16, _ fault: Fault) throws {
        listener = try RawListener()
        self.target = target
        self.fault = fault
    }

    /// A proxy before the server at `port` for as long as `body` runs.
    package static func with<R: Sendable>(
        to port: UInt16, _ fault: Fault, _ body: @escaping @Sendable (FaultProxy) async throws -> R
    ) async throws -> R {
        let proxy = try FaultProxy(to: port, fault)
        return try await withThrowingTaskGroup(of: R?.self) { group in
            group.addTask {
                await proxy.serve()
                return nil
            }
            group.addTask {
                defer { proxy.stop() }
                return try await body(proxy)
            }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }

    private func stop() {
        listener.stop()
        for socket in sockets.withLock({ $0 }) { socket.reset() }
    }

    private func serve() async {
        await withDiscardingTaskGroup { group in
            while let client = try? await listener.accept() {
                guard let server = try? await RawSocket(connectingTo: target) else { break }
                sockets.withLock { $0 += [client, server] }
                let cut = Cut()
                group.addTask { await self.pump(client, server, .max, cut) }
                group.addTask { await self.pump(server, client, self.fault.passes, cut) }
            }
        }
    }

    /// Whether a connection carries nothing any more.
    private final class Cut: Sendable {
        private let state = Atomic(false)
        var isSet: Bool { state.load(ordering: .acquiring) }
        func set() { state.store(true, ordering: .releasing) }
    }

    private func pump(_ source: RawSocket, _ sink: RawSocket, _ passes: Int, _ cut: Cut) async {
        var left = passes
        while let bytes = try? await source.receiveBytes() {
            if cut.isSet { continue }
            do {
                try await send(Array(bytes.prefix(left)), to: sink)
                if bytes.count > left { try await strike(source, sink, cut) }
            } catch {
                break
            }
            left -= min(left, bytes.count)
        }
        if !cut.isSet { sink.endSending() }
    }

    private func send(_ bytes: [UInt8], to sink: RawSocket) async throws {
        switch fault {
        case .split: try await sink.send(bytes, atOnce: 1)
        case .late(let milliseconds):
            try await BlockingCalls.run { _ = poll(nil, 0, milliseconds) }
            try await sink.send(bytes)
        default: try await sink.send(bytes)
        }
    }

    private func strike(_ server: RawSocket, _ client: RawSocket, _ cut: Cut) async throws {
        cut.set()
        switch fault {
        case .split, .late, .blackHole: break
        case .reset:
            server.reset()
            client.reset()
        case .halfClose: client.endSending()
        case .garbage: try await client.send([UInt8](repeating: 0x47, count: 64))
        }
    }
}
