import CUtf8proc
import Glibc

extension String {
    /// The same text with letters and accents as one sign wherever Unicode has one (NFC): a keyboard that sends "e" and
    /// "´" types the same as one that sends "é".
    package var composed: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        let options = utf8proc_option_t(UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue)
        var text = self
        return text.withUTF8 { bytes in
            var composed: UnsafeMutablePointer<UInt8>?
            let count = unsafe utf8proc_map(bytes.baseAddress, bytes.count, &composed, options)
            defer { unsafe free(composed) }
            // Without memory it stays as it is.
            guard count > 0, let start = unsafe composed else { return self }
            return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        }
    }
}
