package import RPC
package import Wire

/// A frame as a value: what a raw socket of a test sends and receives.
package struct WireFrame: Equatable, Sendable, CustomStringConvertible {
    package let header: FrameHeader
    package let payload: [UInt8]

    package init(_ header: FrameHeader, _ payload: [UInt8] = []) {
        self.header = header
        self.payload = payload
    }

    package init(_ kind: FrameKind, call: UInt32 = 0, isEnd: Bool = false, _ payload: [UInt8] = []) {
        self.init(FrameHeader(kind, callID: call, isEnd: isEnd), payload)
    }

    package init(_ kind: FrameKind, call: UInt32 = 0, isEnd: Bool = false, _ message: some WireMessage) {
        self.init(kind, call: call, isEnd: isEnd, message.packedBytes())
    }

    /// The bytes that the code under test makes of it.
    package var bytes: [UInt8] {
        var buffer = ByteBuffer()
        unsafe buffer.appendFrame(header, payloadBytes: payload.count) { room in unsafe room.copyBytes(from: payload) }
        return unsafe buffer.withBytes { unsafe Array($0) }
    }

    package var description: String {
        "\(header.kind) call \(header.callID)\(header.isEnd ? " END" : "") \(payload.count) bytes"
    }
}

extension WireFrame {
    /// The frame with which each side starts.
    package static var hello: WireFrame {
        WireFrame(.hello, Hello(agent: "test", maximumPayloadBytes: 4 << 20, maximumCalls: 1024))
    }

    /// A call. With a deadline a minute away unless told otherwise; nil for none.
    package static func call(
        _ id: UInt32, _ method: MethodDescriptor, _ request: some WireMessage, timeoutUs: UInt64? = 60_000_000,
        credit: UInt32 = 0
    ) -> WireFrame {
        let call = Call(method: method.path, timeoutUs: timeoutUs, credit: credit, request: request.packedBytes())
        return WireFrame(.call, call: id, isEnd: true, call)
    }

    /// The start of a call whose requests follow. Without a deadline.
    package static func streamingCall(
        _ id: UInt32, _ method: MethodDescriptor, credit: UInt32 = 10_000, request: [UInt8] = []
    ) -> WireFrame {
        WireFrame(.call, call: id, Call(method: method.path, credit: credit, request: request))
    }

    /// The payload as a status.
    package var status: RPCCode {
        get throws { RPCCode(wire: try Status(packed: payload).code) }
    }
}

extension FrameDecoder {
    /// Takes the next bytes and gives the frames that are whole now, as values.
    package mutating func frames(_ bytes: [UInt8]) throws(FrameError) -> [WireFrame] {
        var frames: [WireFrame] = []
        let result: Result<Void, FrameError> = unsafe bytes.withUnsafeBytes { bytes in
            do throws(FrameError) {
                return .success(try unsafe feed(bytes) { frames.append(WireFrame($0, unsafe Array($1))) })
            } catch {
                return .failure(error)
            }
        }
        try result.get()
        return frames
    }
}
