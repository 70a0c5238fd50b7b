import Contracts
import Refusals
import Requests

extension SettingsUpdate {
    init(_ request: UpdateSettingsRequest) throws(Refusal) {
        let most = UpdateSettingsRequest.enableNetworksLength.upperBound
        enabled = try SearchedNetworks.checked(request.enableNetworks, "enable_networks", most: most)
        disabled = try SearchedNetworks.checked(request.disableNetworks, "disable_networks", most: most)
        if let both = enabled.intersection(disabled).min() {
            throw Refusal("disable_networks", "it names \(both), which enable_networks names too")
        }
        units = try Self.units(request.units)
        language = try request.language.map(Self.language)
        startView = try Self.startView(request.startView)
    }

    private static func units(_ units: Contracts.Units) throws(Refusal) -> AccountSettings.Units? {
        if units == .unspecified { return nil }
        if let known = AccountSettings.Units(rawValue: Int64(units.rawValue)) { return known }
        throw Refusal("units", units.rawValue, allowed: "local, metric and imperial are")
    }

    private static func startView(_ view: Contracts.StartView) throws(Refusal) -> AccountSettings.StartView? {
        if view == .unspecified { return nil }
        if let known = AccountSettings.StartView(rawValue: Int64(view.rawValue)) { return known }
        throw Refusal("start_view", view.rawValue, allowed: "last, pins and here are")
    }

    /// A tag of BCP 47 as it is written; which languages there are is not checked.
    private static func language(_ tag: String) throws(Refusal) -> String {
        let most = UpdateSettingsRequest.languageLength.upperBound
        guard tag.utf8.count <= most else {
            throw Refusal("language", tag.utf8.count, "bytes", allowed: "at most \(most) are")
        }
        let parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let isTag = parts.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy(isLetterOrDigit) }
        guard tag.isEmpty || isTag && parts[0].count > 1 && !parts[0].contains(where: isDigit) else {
            throw Refusal("language", text: tag, allowed: "a tag of BCP 47 is, as pt-BR; empty for the reader's")
        }
        return tag
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7A).contains(byte | 0x20)
    }
}

extension Contracts.Settings {
    init(_ settings: AccountSettings) {
        let names: Set<String> = if case .some(let names) = settings.networks { names } else { [] }
        self.init(
            networks: names.sorted(), allNetworks: settings.networks == .all,
            needsNetworks: settings.networks == .unchosen, units: Units(rawValue: Int32(settings.units.rawValue)),
            language: settings.language, startView: StartView(rawValue: Int32(settings.startView.rawValue)))
    }
}
