import Contracts
import RPC
import TestSupport
import Wire

/// What an attacker connects to.
protocol Attacked: Sendable {
    func attackSocket(receiveBytes: Int32?) async throws -> RawSocket
}

/// Runs something so many times, several at once; what fails on the way is the attacked one's answer.
enum Repeated {
    static func run(
        _ times: Int, atOnce: Int = 8, _ body: @escaping @Sendable () async throws -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<atOnce {
                group.addTask { for _ in 0..<max(1, times / atOnce) where worker >= 0 { try? await body() } }
            }
        }
    }
}

/// Frames that make the one that receives them hold memory, if it lets them.
enum FrameAttack {
    private static let payload = [UInt8](repeating: 7, count: (4 << 20) - 200)

    /// Calls of 4 MiB whose answers are not read.
    static func unreadEchoes(_ attacked: some Attacked, token: String) async throws {
        let request = EchoRequest(payload: payload).packedBytes()
        let socket = try await attacked.attackSocket(receiveBytes: 4096)
        try await socket.send(.hello)
        for id in 1...300 {
            let call = Call(
                method: EchoServiceMethods.echo.path, timeoutUs: 60_000_000, token: token, request: request)
            let frame = WireFrame(.call, call: UInt32(id), isEnd: true, call).bytes
            // It stops reading, or closes: then that was all that could be sent.
            guard (try? await socket.sendPatiently(frame)) ?? false else { break }
        }
    }

    /// Frames that lack their last byte, each on a connection of its own.
    static func unfinishedFrames(_ attacked: some Attacked, connections: Int = 300) async throws {
        let frame = WireFrame.call(1, EchoServiceMethods.echo, EchoRequest(payload: payload)).bytes
        var sockets: [RawSocket] = []
        for _ in 0..<connections {
            let socket = try await attacked.attackSocket(receiveBytes: nil)
            _ = try? await socket.send(WireFrame.hello.bytes + frame.dropLast())
            sockets.append(socket)
        }
    }

    /// Connections that ask for signs of life and read none.
    static func unreadPongs(_ attacked: some Attacked) async throws {
        let pings = Array(
            repeatElement(WireFrame(.ping, [UInt8](repeating: 1, count: 1024)).bytes, count: 1000).joined())
        await Repeated.run(60, atOnce: 20) {
            let socket = try await attacked.attackSocket(receiveBytes: 4096)
            try await socket.send(.hello)
            for _ in 0..<20 { guard try await socket.sendPatiently(pings) else { break } }
        }
    }

    /// Streams of a megabyte a message that are not read.
    static func unreadStreams(_ attacked: some Attacked) async throws {
        let request = EchoStreamRequest(payload: [UInt8](repeating: 7, count: 1 << 20), count: 100)
        let socket = try await attacked.attackSocket(receiveBytes: 4096)
        try await socket.send(.hello)
        for id in 1...1000 {
            let frame = WireFrame.call(
                UInt32(id), EchoServiceMethods.echoStream, request, timeoutUs: nil, credit: 64 << 20)
            guard (try? await socket.sendPatiently(frame.bytes)) ?? false else { break }
        }
    }
}
