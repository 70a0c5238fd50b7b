import CCurl

/// Times as HTTP writes them: "Wed, 21 Oct 2026 07:28:00 GMT" (RFC 9110, 5.6.7).
package enum HTTPDate {
    /// Seconds since 1970; nil when the text names no moment.
    package static func unixSeconds(_ text: String) -> Int64? {
        let seconds = unsafe curl_getdate(text, nil)
        return seconds == -1 ? nil : Int64(seconds)
    }
}
