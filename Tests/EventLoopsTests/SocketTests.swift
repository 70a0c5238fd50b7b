import EventLoops
import Glibc
import TestSupport
import Testing

@Suite("Socket", .timeLimit(.minutes(3)))
struct SocketTests {
    private func loopback(_ port: UInt16 = 0) async throws -> SocketAddress {
        let found = try await BlockingCalls.run { try Endpoint(host: "127.0.0.1", port: port).resolve() }
        return try #require(found.first)
    }

    @Test("gets a free port when it listens on port 0")
    func freePort() async throws {
        let any = try await loopback()
        let socket = try Socket.listening(on: any)
        let own = socket.localAddress
        let port = try #require(own).port
        #expect(port != 0)
    }

    @Test("says that a port is taken, and which")
    func takenPort() async throws {
        let any = try await loopback()
        let socket = try Socket.listening(on: any)
        let own = socket.localAddress
        let port = try #require(own).port
        let taken = try await loopback(port)
        do throws(SystemError) {
            _ = try Socket.listening(on: taken)
            Issue.record("two sockets listen on port \(port)")
        } catch {
            #expect(error == SystemError(call: "bind", code: EADDRINUSE, subject: "127.0.0.1:\(port)"))
            #expect(error.description == "bind 127.0.0.1:\(port): Address already in use")
        }
        withExtendedLifetime(socket.descriptor) {}
    }

    @Test("has nothing to accept and nothing to read until somebody comes")
    func nothingYet() async throws {
        let listener = try Socket.listening(on: try await loopback())
        let none = try listener.accept() == nil
        #expect(none)
        let own = listener.localAddress
        let port = try #require(own).port
        let peer = try await RawSocket(connectingTo: port)
        guard let socket = try listener.accept() else {
            Issue.record("nobody was accepted")
            return
        }
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 16)
        defer { unsafe room.deallocate() }
        let before = try unsafe socket.read(into: room)
        #expect(before == nil)
        peer.endSending()
        var after = try unsafe socket.read(into: room)
        while after == nil { after = try unsafe socket.read(into: room) }
        #expect(after == 0, "the end of the stream")
        let found = socket.peerAddress
        let address = try #require(found)
        #expect(address.description.hasPrefix("127.0.0.1:"))
    }

    @Test("takes no more than the peer's window, and says so instead of blocking")
    func fullWindow() async throws {
        let listener = try Socket.listening(on: try await loopback())
        let own = listener.localAddress
        let peer = try await RawSocket(connectingTo: try #require(own).port, receiveBytes: 4096)
        guard let socket = try listener.accept() else {
            Issue.record("nobody was accepted")
            return
        }
        let bytes = [UInt8](repeating: 1, count: 1 << 20)
        var total = 0
        while let count = try unsafe bytes.withUnsafeBytes({ try unsafe socket.write($0) }) { total += count }
        #expect(total > 0)
        peer.reset()
        let broke = await eventually {
            do {
                _ = try unsafe bytes.withUnsafeBytes { try unsafe socket.write($0) }
                return false
            } catch {
                return true
            }
        }
        #expect(broke, "writing to a peer that is gone is an error, not a signal")
    }

    /// Notes when the descriptor is ready.
    private final class Ready: IOHandler {
        let tally = Tally()
        func ready(read: Bool, write: Bool) { tally.add() }
    }

    @Test("that nobody listens for is refused, and the error names the address")
    func refused() async throws {
        let nobody = try ClosedPort()
        let port = nobody.port
        let address = try await loopback(port)
        let loop = try EventLoop(name: "test")
        defer { loop.shutDown() }
        let descriptor = try Socket.connecting(to: address).release()
        let ready = Ready()
        let tally = ready.tally
        nonisolated(unsafe) let handler = ready
        loop.execute { _ = try? unsafe loop.register(descriptor, handler, write: true) }
        try await tally.wait()
        let socket = Socket(owning: descriptor)
        let error = socket.connectError(address)
        #expect(error == SystemError(call: "connect", code: ECONNREFUSED, subject: "127.0.0.1:\(port)"))
        withExtendedLifetime(nobody) {}
    }
}
