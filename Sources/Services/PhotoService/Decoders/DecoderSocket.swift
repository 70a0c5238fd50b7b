import CLinux
import EventLoops
import Glibc
import PictureCalls

/// Why a decoder gives no answer.
enum DecoderEnd: Error {
    /// It has ended, or said what makes no sense.
    case died(String)
    /// It has not answered within its life.
    case late
    /// None could be started.
    case unavailable(String)
}

/// One running decoder. All of it blocks, but not longer than a decoder may live.
final class DecoderSocket {
    private let descriptor: Int32
    private let end: MonotonicTime
    /// From then on a new one is better.
    let isOldFrom: MonotonicTime

    /// Starts one, and waits until it is ready.
    init(_ host: DecoderHost, _ purpose: DecoderPurpose, life: Duration) throws(DecoderEnd) {
        do throws(SystemError) {
            descriptor = try host.decoder(for: purpose)
        } catch {
            throw .unavailable(error.description)
        }
        end = .now + life
        isOldFrom = .now + life / 2
        do throws(DecoderEnd) {
            let said = try receive(1)
            guard said == [DecoderPurpose.ready] else { throw .unavailable("it does not say that it is ready") }
        } catch {
            host.lookForEnd()
            throw .unavailable("it ends before it is ready")
        }
    }

    deinit { close(descriptor) }

    /// Asks for something, without waiting for an answer.
    func send(_ request: DecoderRequest) throws(DecoderEnd) {
        let packed = request.packed
        try send(DecoderFrame.head(kind: request.kind, count: packed.count))
        try send(packed)
    }

    /// The next answer.
    func answer() throws(DecoderEnd) -> DecoderAnswer {
        guard let frame = DecoderFrame.parse(try receive(DecoderFrame.headBytes)),
            let answer = DecoderAnswer(kind: frame.kind, packed: try receive(frame.count))
        else { throw .died("its answer makes no sense") }
        return answer
    }

    private func send(_ bytes: [UInt8]) throws(DecoderEnd) {
        let descriptor = descriptor
        var done = 0
        while done < bytes.count {
            try wait(for: Int16(POLLOUT))
            done += try transfer {
                unsafe bytes.withUnsafeBytes { bytes in
                    unsafe Glibc.send(
                        descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done,
                        Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
                }
            }
        }
    }

    /// So many bytes; room is taken as they come, whatever was announced.
    private func receive(_ count: Int) throws(DecoderEnd) -> [UInt8] {
        let descriptor = descriptor
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: min(count, 256 << 10))
        while bytes.count < count {
            try wait(for: Int16(POLLIN))
            let wanted = min(part.count, count - bytes.count)
            let got = try transfer {
                unsafe part.withUnsafeMutableBytes { room in
                    unsafe recv(descriptor, room.baseAddress, wanted, Int32(MSG_DONTWAIT))
                }
            }
            guard got > 0 else { throw .died("it has ended") }
            bytes += part[..<got]
        }
        return bytes
    }

    private func transfer(_ body: () -> Int) throws(DecoderEnd) -> Int {
        do throws(SystemError) {
            return try syscall("transfer", "", body)
        } catch {
            throw .died(error.code == EPIPE || error.code == ECONNRESET ? "it has ended" : error.description)
        }
    }

    private func wait(for events: Int16) throws(DecoderEnd) {
        var wanted = pollfd(fd: descriptor, events: events, revents: 0)
        while true {
            let left = end.since(.now)
            guard left > .zero else { throw .late }
            let count = unsafe poll(&wanted, 1, Int32(clamping: Int(left.milliseconds) + 1))
            if count > 0 { return }
            if count == -1, errno != EINTR { throw .died("poll fails with \(errno)") }
        }
    }
}
