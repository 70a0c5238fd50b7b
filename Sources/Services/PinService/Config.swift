import Accounts
import Arguments
import Backups
import Daemon
import EventLoops
import LoginProviders
import Stores

/// The service's settings.
struct Config: Sendable {
    /// The folder that holds all data.
    let dataFolder: String
    /// Where all pins are.
    let database: DatabaseConfig
    /// Where else its log is stored; nil for nowhere.
    let shipping: ShippingConfig?
    let places: Endpoint
    let photos: Endpoint
    /// The networks whose places a pin links, and how many.
    let networks: [PlaceNetwork]
    /// What an account has chosen that has not said.
    let firstNetworks: NetworkChoice
    /// Who may make an account.
    let signUp: SignUpRule
    /// How long a session lasts that is not used, in milliseconds.
    let sessionMilliseconds: Int64
    /// How browsers reach the gateway; nil when that is not known.
    let publicURL: WebOrigin?
    /// How messages are sent; nil where none are.
    let mail: MailConfig?
    /// The providers that one can log in with.
    let loginProviders: [ProviderConfig]
    /// Whether one can log in with a password.
    let takesPasswords: Bool
    /// Whether pins can be shared by links.
    let allowsShares: Bool
    /// Compares one in so many searches around a point with the database's; 0 for none.
    let verifyRate: Int

    /// Reads the login providers too, which blocks.
    init(_ options: Options) throws(OptionError) {
        dataFolder = try options.required("--data")
        shipping = try ShippingConfig(options, database: "pins/pins.db")
        database = try DatabaseConfig(options, file: "pins.db", schema: "pins", follower: shipping?.follower)
        places = try options.endpoint("--places")
        photos = try options.endpoint("--photos")
        firstNetworks = try Self.firstNetworks(options)
        let rule = try options.required("--sign-up")
        guard let signUp = SignUpRule(rawValue: rule) else {
            let rules = SignUpRule.allCases.map(\.rawValue).joined(separator: ", ")
            throw OptionError("--sign-up is \(rule); it may be \(rules)")
        }
        self.signUp = signUp
        sessionMilliseconds = Int64(try options.integer("--session-hours")) * 3_600_000
        publicURL = try WebOrigin.publicURL(options)
        mail = try MailConfig(options, site: publicURL)
        loginProviders = try Self.loginProviders(options)
        takesPasswords = try Self.isOn("--password-login", options)
        allowsShares = try Self.isOn("--sharing", options)
        verifyRate = try options.integer("--verify-rate")
        guard takesPasswords || !loginProviders.isEmpty && publicURL != nil else {
            throw OptionError("--password-login is off, which needs --login-providers and --public-url")
        }
        networks = [.catalog(maximumLinks: try options.integer("--catalog-places"))]
    }

    private static func firstNetworks(_ options: Options) throws(OptionError) -> NetworkChoice {
        switch options["--first-networks"] {
        case "choose": return .unchosen
        case "all": return .all
        case let value: throw OptionError("--first-networks is \(value ?? ""), choose or all is needed")
        }
    }

    private static func loginProviders(_ options: Options) throws(OptionError) -> [ProviderConfig] {
        guard let file = options["--login-providers"], !file.isEmpty else { return [] }
        do throws(ProviderFile.Problem) {
            return try ProviderFile.read(file)
        } catch {
            throw OptionError("--login-providers \(error)")
        }
    }

    private static func isOn(_ name: String, _ options: Options) throws(OptionError) -> Bool {
        switch options[name] {
        case "on": return true
        case "off": return false
        case let value: throw OptionError("\(name) is \(value ?? ""), on or off is needed")
        }
    }
}
