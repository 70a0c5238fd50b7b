internal import Bytes
internal import Glibc

/// Turns bytes of an encoding into UTF-8 by iconv(3), piece by piece.
@safe
final class Transcoder {
    private static let replacement = Array("\u{fffd}".utf8)

    private let handle: iconv_t
    /// Bytes that are passed over with one that is no letter: the next one begins behind them.
    private let unitBytes: Int
    /// The beginning of a letter whose end has not come yet.
    private var rest: [UInt8] = []
    /// Bytes that are no letters of the encoding; each is "\u{fffd}" in the text.
    private(set) var wrongBytes = 0

    /// Nil for a name that iconv doesn't know.
    init?(_ name: String) {
        let handle = unsafe iconv_open("UTF-8", name)
        guard let handle = unsafe handle, Int(bitPattern: handle) != -1 else { return nil }
        unsafe self.handle = handle
        unitBytes = name.begins(with: "UTF-16") ? 2 : name.begins(with: "UTF-32") ? 4 : 1
    }

    deinit { unsafe iconv_close(handle) }

    /// What these bytes give, after those of before.
    func text(_ bytes: ArraySlice<UInt8>, isLast: Bool) -> [UInt8] {
        var input = rest + bytes
        var text: [UInt8] = []
        text.reserveCapacity(input.count * 2)
        var start = 0
        while start < input.count {
            let step = convert(&input, from: start)
            text += step.text
            start = step.end
            switch step.stop {
            case EILSEQ:
                text += Self.replacement
                let wrong = min(unitBytes, input.count - start)
                start += wrong
                wrongBytes += wrong
            case EINVAL where !isLast:
                rest = Array(input[start...])
                return text
            case EINVAL:
                text += Self.replacement
                wrongBytes += input.count - start
                start = input.count
            default: break
            }
        }
        rest = []
        return text
    }

    /// Converts as far as the room goes, or up to what stops it.
    private func convert(_ input: inout [UInt8], from start: Int) -> (text: [UInt8], end: Int, stop: Int32) {
        var room = [UInt8](repeating: 0, count: 16 << 10)
        var (inputLeft, roomLeft) = (input.count - start, room.count)
        var stop: Int32 = 0
        unsafe input.withUnsafeMutableBytes { input in
            unsafe room.withUnsafeMutableBytes { room in
                var from = unsafe input.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self)
                var to = unsafe room.baseAddress?.assumingMemoryBound(to: CChar.self)
                // More input than room stops it too (E2BIG): then it goes on.
                if unsafe iconv(handle, &from, &inputLeft, &to, &roomLeft) == -1 { stop = errno }
            }
        }
        return (Array(room[..<(room.count - roomLeft)]), input.count - inputLeft, stop)
    }
}
