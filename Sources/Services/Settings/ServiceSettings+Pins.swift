import Arguments
import Networks

extension ServiceSettings {
    package static let pins = ServiceSettings(
        program: "pin-service", name: "pins",
        summary: "keeps the pins of each account, and finds the places around them",
        defaultPort: 7_702, own: Option.database + Option.replication + pinPeers + ownPins + Option.mail)

    private static let pinPeers: [Option] = [
        Option.address(of: places, "places service"), Option.address(of: photos, "photo service"),
    ]

    private static let ownPins: [Option] = [
        Option(
            "--catalog-places", "N", default: Network.catalog.places?.maximumLinks ?? 0, in: 1...10_000,
            help: "how many places of the catalog a pin links at most"),
        Option(
            "--first-networks", "choose|all", default: "choose",
            help: "what an account's searches ask at first: it has to choose before its first pin, or all networks"),
        Option(
            "--sign-up", "RULE", default: "invitation",
            help: "who may make an account: open, invitation or closed"),
        Option(
            "--session-hours", "N", default: 24, in: 1...8_760,
            help: "how long a session lasts that is not used; each use makes it longer"),
        Option(
            "--login-providers", "FILE", access: .readsReplacedFile,
            help: "OpenID providers that one can log in with, in JSON; needs --public-url"),
        Option(
            "--password-login", "on|off", default: "on",
            help: "whether one can log in with a password; off needs --login-providers"),
        Option(
            "--sharing", "on|off", default: "on",
            help: "whether people can share pins by links; off ends those that there are until it is on again"),
        Option.publicURL, Option.verifyRate,
    ]
}
