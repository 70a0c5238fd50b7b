package import Arguments
import Bytes
package import Daemon
package import Mail

/// How mail is sent; without it no message is.
package struct MailConfig: Sendable {
    package let server: MailServer
    package let sender: MailAddress
    /// How browsers reach the map.
    package let site: WebOrigin

    /// Nil where mail is off. Reads the password, which blocks.
    package init?(_ options: Options, site: WebOrigin?) throws(OptionError) {
        let password = try options.secret(inFile: "--smtp-password-file")
        func value(_ flag: String) -> String? { options[flag].flatMap { $0.isEmpty ? nil : $0 } }
        guard let url = value("--smtp-url") else {
            let others = ["--mail-from", "--smtp-user", "--smtp-password-file", "--smtp-ca"]
            guard let given = others.first(where: { value($0) != nil }) else { return nil }
            throw OptionError("\(given) is given without --smtp-url: smtp://HOST:PORT or smtps://HOST:PORT is needed")
        }
        guard let from = value("--mail-from") else {
            throw OptionError(
                "--smtp-url is given without --mail-from: an address such as waymark@example.org is needed")
        }
        guard let site else {
            throw OptionError("--smtp-url is given without --public-url, to which the links in messages lead")
        }
        guard let sender = MailAddress(from) else {
            throw OptionError("--mail-from is \(from), an address such as waymark@example.org is needed")
        }
        let logIn: MailLogIn?
        switch (value("--smtp-user"), password) {
        case (nil, nil): logIn = nil
        case (let user?, let password?): logIn = MailLogIn(user: user, password: password)
        case (_?, nil): throw OptionError("--smtp-user is given without --smtp-password-file")
        case (nil, _?): throw OptionError("--smtp-password-file is given without --smtp-user")
        }
        do throws(MailServerProblem) {
            server = try MailServer(
                url, isPlain: options.isSet("--smtp-plain"), authorities: value("--smtp-ca"), logIn: logIn)
        } catch {
            // One with a password in it is not repeated.
            throw OptionError(
                url.holds("@")
                    ? "--smtp-url: \(error); who logs in is --smtp-user" : "--smtp-url is \(url), \(error)")
        }
        (self.sender, self.site) = (sender, site)
    }
}
