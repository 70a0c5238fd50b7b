import Accounts
import Daemon
import LoginProviders

extension AccountsPart: PinPart {
    init(_ house: PinHouse) {
        let (config, log) = (house.config, house.runtime.log)
        var store = AccountStore(
            house.store.database, house.passwords, clock: house.clock, key: house.runtime.key, signUp: config.signUp,
            sendsMail: config.mail != nil, sessionMilliseconds: config.sessionMilliseconds)
        store.takesPasswords = config.takesPasswords
        log.info("mail", ["server": config.mail.map { "\($0.server)" } ?? "off"])
        var mail: MailJob?
        if let sender = house.mail, let site = config.mail?.site.text { mail = MailJob(store, sender, site: site) }
        self.init(
            store, PasskeySite(config.publicURL), Self.directory(house), mail: mail, erasing: PinParts.all, log: log)
    }

    /// Without an address to come back to there are no login providers.
    private static func directory(_ house: PinHouse) -> ProviderDirectory {
        let providers = house.config.loginProviders
        guard let publicURL = house.config.publicURL, !providers.isEmpty else {
            if !providers.isEmpty {
                house.runtime.log.warning(
                    "login providers are off: they need --public-url, to which browsers come back")
            }
            return .none
        }
        return ProviderDirectory(providers.map { ProviderAgent($0, house.http) }, publicURL: publicURL)
    }
}
