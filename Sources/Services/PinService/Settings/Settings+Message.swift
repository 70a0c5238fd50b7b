import AccountContracts
import Refusals

extension SettingsUpdate {
    init(_ request: UpdateSettingsRequest) throws(Refusal) {
        (enabled, disabled) = (Set(request.enableNetworks), Set(request.disableNetworks))
        if let both = enabled.intersection(disabled).min() {
            throw Refusal("disable_networks", "it names \(both), which enable_networks names too")
        }
        units = try Self.units(request.units)
        language = request.language
        startView = try Self.startView(request.startView)
    }

    private static func units(_ units: AccountContracts.Units) throws(Refusal) -> AccountSettings.Units? {
        if units == .unspecified { return nil }
        if let known = AccountSettings.Units(rawValue: Int64(units.rawValue)) { return known }
        throw Refusal("units", units.rawValue, allowed: "local, metric and imperial are")
    }

    private static func startView(_ view: AccountContracts.StartView) throws(Refusal) -> AccountSettings.StartView? {
        if view == .unspecified { return nil }
        if let known = AccountSettings.StartView(rawValue: Int64(view.rawValue)) { return known }
        throw Refusal("start_view", view.rawValue, allowed: "last, pins and here are")
    }
}

extension AccountContracts.Settings {
    init(_ settings: AccountSettings) {
        let names: Set<String> = if case .some(let names) = settings.networks { names } else { [] }
        self.init(
            networks: names.sorted(), allNetworks: settings.networks == .all,
            needsNetworks: settings.networks == .unchosen, units: Units(rawValue: Int32(settings.units.rawValue)),
            language: settings.language, startView: StartView(rawValue: Int32(settings.startView.rawValue)))
    }
}
