import Glibc
import PictureCalls
import Pictures

/// Answers what comes over a socket until it ends.
struct DecoderLoop {
    private let socket: Int32
    private var sidecar: [UInt8] = []
    private var file: [UInt8] = []

    init(_ socket: Int32) { self.socket = socket }

    /// Says first that it is ready.
    consuming func run() {
        guard write([DecoderPurpose.ready]) else { return }
        while let head = read(DecoderFrame.headBytes), let frame = DecoderFrame.parse(head),
            let body = read(frame.count), let request = DecoderRequest(kind: frame.kind, packed: body)
        {
            guard let answer = answer(request) else { continue }
            let packed = answer.packed
            guard write(DecoderFrame.head(kind: answer.kind, count: packed.count)), write(packed) else { return }
        }
    }

    private mutating func answer(_ request: DecoderRequest) -> DecoderAnswer? {
        do throws(PictureProblem) {
            switch request {
            case .sidecar(let bytes):
                sidecar = bytes
                return nil
            case .look(let bytes):
                file = bytes
                defer { sidecar = [] }
                var notes = try PictureReader.notes(of: file)
                if !sidecar.isEmpty { notes.read(sidecar: sidecar) }
                return .notes(notes)
            case .make(let orders, let limit): return .made(try PictureMaker.make(orders, from: file, limit: limit))
            }
        } catch .unreadable {
            // There is only one thing that can be short here.
            return .problem(.deadly("it takes more memory than a decoder may have"))
        } catch {
            return .problem(error)
        }
    }

    /// Nil at the end.
    private func read(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = unsafe bytes.withUnsafeMutableBytes { room in
                unsafe Glibc.read(socket, room.baseAddress?.advanced(by: filled), count - filled)
            }
            if got == -1, errno == EINTR { continue }
            guard got > 0 else { return nil }
            filled += got
        }
        return bytes
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        var done = 0
        while done < bytes.count {
            let sent = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.write(socket, bytes.baseAddress?.advanced(by: done), bytes.count - done)
            }
            if sent == -1, errno == EINTR { continue }
            guard sent > 0 else { return false }
            done += sent
        }
        return true
    }
}
