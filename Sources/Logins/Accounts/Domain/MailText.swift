/// What messages say. Nothing in them was typed by anyone, names and devices neither: they would be what a stranger
/// makes us write to others.
struct MailText: Equatable, Sendable {
    let subject: String
    let body: String

    /// - Parameters:
    ///   - site: how browsers reach the map: "https://map.example.org".
    ///   - code: for a reset and an invitation.
    ///   - time: when what it is about happened, for people.
    init(_ mail: QueuedMail, code: String, site: String, time: String) {
        let from = mail.address.isEmpty ? "" : " from the address \(mail.address)"
        let warning = """
            If that was not you, open \(site)/ and ask there for a new password, or write to the one who runs this
            Waymark.
            """
        switch mail.kind {
        case .reset:
            subject = "Your new password for Waymark"
            body = """
                Someone, probably you, asked\(from) for a new password for the account with this e-mail address at
                \(site)/

                This link leads to where you can set one, once and within an hour:

                \(site)/#/reset/\(code)

                All your sessions end then. If that was not you, do nothing: your password stays as it is.
                """
        case .invitation:
            subject = "You are invited to Waymark"
            body = """
                You are invited to make an account at \(site)/, a map for the places you go to.

                This link leads to where you can, once and within a week:

                \(site)/#/invitation/\(code)

                If you don't know what this is about, do nothing.
                """
        case .passwordChanged:
            subject = "Your password for Waymark was changed"
            body = """
                The password of your account at \(site)/ was changed\(from) on \(time).
                All other sessions have ended.

                \(warning)
                """
        case .passwordReset:
            subject = "Your password for Waymark was set"
            body = """
                The password of your account at \(site)/ was set with a code\(from) on \(time).
                All former sessions have ended.

                \(warning)
                """
        }
    }
}
