package import Arguments

extension Option {
    /// How mail is sent.
    package static let mail = [
        Option(
            "--smtp-url", "URL", defaultText: "off",
            help: "the server that takes mail on: smtp://HOST:587, or smtps://HOST:465; needs --mail-from and"
                + " --public-url"),
        Option("--smtp-user", "NAME", help: "who logs in there; needs --smtp-password-file"),
        Option(
            "--smtp-password-file", "FILE", access: .readsFile, help: "a file whose first line is the password there"),
        Option(
            "--smtp-ca", "FILE", defaultText: "the system's", access: .readsFile,
            help: "the authorities (PEM) that its certificate is checked with; smtp:// needs STARTTLS on this machine"
                + " too then"),
        Option(
            "--smtp-plain",
            help: "send mail, and the password, without encryption; smtp:// to this machine is in any case"),
        Option("--mail-from", "ADDRESS", help: "what messages are from, as waymark@example.org"),
    ]
}
