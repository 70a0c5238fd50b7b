import CCurl
import Glibc

/// The bytes of a PUT, which libcurl asks for piece by piece, so that there is no second copy of them.
@safe
final class UploadBody {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    static let read: curl_read_callback = { room, size, count, owner in
        guard let owner = unsafe owner else { return Int(CURL_READFUNC_ABORT) }
        let body = unsafe Unmanaged<UploadBody>.fromOpaque(owner).takeUnretainedValue()
        let (limit, overflow) = size.multipliedReportingOverflow(by: count)
        return overflow ? 0 : unsafe body.fill(UnsafeMutableRawBufferPointer(start: room, count: limit))
    }

    /// libcurl sends again what went out on a connection that turned out to be closed.
    static let seek: curl_seek_callback = { owner, offset, origin in
        guard let owner = unsafe owner, origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
        let body = unsafe Unmanaged<UploadBody>.fromOpaque(owner).takeUnretainedValue()
        return body.go(to: Int(clamping: offset)) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
    }

    private func fill(_ room: UnsafeMutableRawBufferPointer) -> Int {
        let part = bytes[position...].prefix(room.count)
        unsafe room.copyBytes(from: part)
        position += part.count
        return part.count
    }

    private func go(to offset: Int) -> Bool {
        guard (0...bytes.count).contains(offset) else { return false }
        position = offset
        return true
    }
}
