import RPC
import Synchronization
import TLS
import TestSupport
import TestTools
import EventLoops

/// The two sides of a connection with TLS, both of which show a certificate.
struct TLSFixture {
    let certificates: TestCertificates
    let server: TLSContext
    let client: TLSContext

    init() throws {
        certificates = try TestCertificates.shared.get()
        server = try TLSContext(.server, .init(certificates.server, authorities: certificates.authority))
        client = try TLSContext(.client, .init(certificates.client, authorities: certificates.authority))
    }

    /// A client that shows no certificate.
    var nameless: TLSContext {
        get throws { try TLSContext(.client, .init(authorities: certificates.authority)) }
    }
}

extension TLSContext.Files {
    init(_ pair: TestCertificates.Pair, authorities: String? = nil) {
        self.init(certificate: pair.certificate, key: pair.key, authorities: authorities)
    }
}

/// Writes down whom a server has not let in.
final class RefusalRecorder: ServerInterceptor {
    let refusals = Tally()
    private let reasons = Mutex<[String]>([])

    var all: [String] { reasons.withLock { $0 } }

    func refused(_ address: SocketAddress?, _ reason: String) {
        reasons.withLock { $0.append(reason) }
        refusals.add()
    }
}

/// A blocking socket with TLS on it: the client's side byte by byte.
final class SecureRawSocket {
    let raw: RawSocket
    private let session: TLSSession
    private var decoder = FrameDecoder(maximumPayload: 64 << 20)

    init(connectingTo port: UInt16, _ context: TLSContext) async throws {
        raw = try await RawSocket(connectingTo: port)
        session = try context.session(with: "localhost")
    }

    /// Plays the server for the next client.
    init(accepting listener: RawListener, _ context: TLSContext) async throws {
        raw = try await listener.accept()
        session = try context.session()
    }

    /// Shakes hands, sending so many bytes at a time; `frames` go with the last of them.
    func shakeHands(inPiecesOf size: Int = .max, saying frames: [WireFrame] = []) async throws {
        while try !session.shakeHands() {
            try await sendOutput(inPiecesOf: size)
            try await receiveBytes()
        }
        if !frames.isEmpty { try write(frames) }
        try await sendOutput(inPiecesOf: size)
    }

    /// The bytes that begin a handshake.
    func firstBytes() throws -> [UInt8] {
        _ = try session.shakeHands()
        return output()
    }

    func send(_ frames: WireFrame..., inPiecesOf size: Int = .max) async throws {
        try write(frames)
        try await sendOutput(inPiecesOf: size)
    }

    /// The frames that come next, at least one.
    func receive() async throws -> [WireFrame] {
        while true {
            try await receiveBytes()
            let bytes = try [UInt8](unsafeUninitializedCapacity: 256 << 10) { room, count in
                count = try session.read(into: UnsafeMutableRawBufferPointer(room))
            }
            let frames = try decoder.frames(bytes)
            if !frames.isEmpty { return frames }
            if session.hasEnded { throw RawSocketError.ended }
        }
    }

    private func write(_ frames: [WireFrame]) throws {
        _ = try frames.flatMap(\.bytes).withUnsafeBytes { try session.write($0) }
    }

    private func receiveBytes() async throws {
        let bytes = try await raw.receiveBytes()
        bytes.withUnsafeBytes { session.receive($0) }
    }

    private func output() -> [UInt8] {
        var bytes: [UInt8] = []
        session.send { output in
            bytes = Array(output)
            return bytes.count
        }
        return bytes
    }

    private func sendOutput(inPiecesOf size: Int) async throws {
        try await raw.send(output(), atOnce: size)
    }
}
