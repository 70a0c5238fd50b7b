package import Arguments
import Bytes

/// Reads the settings that all live networks of a service share, and those that each has.
package enum NetworkOptions {
    /// The limits of a network that `limits` has options for.
    package static func rules(_ network: String, _ options: Options) throws(OptionError) -> NetworkRules {
        NetworkRules(
            perSecond: try options.number("--\(network)-rate"),
            perDay: try options.integer("--\(network)-daily"),
            atOnce: try options.integer("--\(network)-at-once"),
            expiryMilliseconds: Int64(try options.integer("--live-hours")) * 3_600_000)
    }

    /// An address without the slash at its end; nil when none is given.
    package static func url(_ flag: String, _ options: Options) throws(OptionError) -> String? {
        guard let url = options[flag], !url.isEmpty else { return nil }
        return try self.url(url, of: flag)
    }

    /// The same of an address that is a part of a flag's value.
    package static func url(_ text: String, of flag: String) throws(OptionError) -> String {
        var url = text
        let rest = url.after("https://") ?? url.after("http://") ?? ""
        guard !rest.isEmpty, !rest.begins(with: "/"), url.until(" ", "?", "#") == url else {
            throw OptionError("\(flag) is \(url); http:// or https://, a host and perhaps a path are needed")
        }
        while url.unicodeScalars.last == "/" { url.removeLast() }
        return url
    }

    /// Whom networks may write to; empty when none is given. Without one no network may be asked.
    package static func contact(_ options: Options, isNeeded: Bool) throws(OptionError) -> String {
        let contact = options["--contact"] ?? ""
        guard !isNeeded || !contact.isEmpty else {
            throw OptionError("--contact is missing: live networks want to know whom to write to")
        }
        guard NetworkContact.isPlain(contact) else {
            throw OptionError("--contact is \(contact); an address or a URL in plain characters is needed")
        }
        return contact
    }
}
