import Glibc

/// Writes a whole text to a descriptor and returns when it is written, or when the other end has gone. Blocks.
func writeAll(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
        var start = 0
        while start < bytes.count {
            let count = unsafe write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            start += count
        }
    }
}
