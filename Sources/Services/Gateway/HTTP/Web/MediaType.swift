import Bytes

/// The media types of the web app's files.
enum MediaType {
    /// By the extension of the name; nil for files that are not served.
    static func of(_ name: String) -> String? {
        switch name.split(at: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "json": "application/json"
        case "webmanifest": "application/manifest+json"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "jpg": "image/jpeg"
        case "ico": "image/x-icon"
        case "woff2": "font/woff2"
        case "txt": "text/plain; charset=utf-8"
        default: nil
        }
    }

    /// Whether compression makes it smaller.
    static func isText(_ type: String) -> Bool {
        type.begins(with: "text/") || type.ends(with: "json") || type == "image/svg+xml"
    }
}

/// Conditional requests (RFC 9110, section 13).
enum EntityTag {
    /// Whether a list of `If-None-Match` contains the tag; a weak one counts.
    static func isNamed(_ tag: String, by list: String?) -> Bool {
        guard let list else { return false }
        return list.split(at: ",").contains { entry in
            let entry = entry.trimmed
            let strong = entry.after("W/") ?? entry
            return strong.isSame(as: "*") || strong.isSame(as: tag)
        }
    }
}
