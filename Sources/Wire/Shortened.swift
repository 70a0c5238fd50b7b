extension String {
    /// The text for a sentence: all of it, or else its beginning and "…", at most `byteCount` bytes besides that. Counts
    /// bytes, not characters: one character may be megabytes of accents. Cuts between two scalars.
    package func shortened(to byteCount: Int) -> String {
        let bytes = utf8
        if bytes.count <= byteCount { return self }
        var cut = bytes.index(bytes.startIndex, offsetBy: byteCount)
        // Bytes within a scalar are 10xxxxxx.
        while cut > bytes.startIndex, bytes[cut] & 0xc0 == 0x80 { cut = bytes.index(before: cut) }
        return "\(self[..<cut])…"
    }
}
