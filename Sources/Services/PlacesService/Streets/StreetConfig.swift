import Arguments
import Bytes
import LiveNetworks
import Networks

/// The settings of the network that gives streets. It needs no key: it can always be asked, and is on when its address
/// is given, or when an administrator switches it on.
struct StreetConfig: Sendable {
    static let network = Network.streetmap

    /// Where its TileJSON is.
    let address: String
    /// What the addresses of its tiles begin with; nil for the host of the TileJSON, or one below it.
    let tiles: String?
    /// Bytes of tiles that are kept.
    let cacheBytes: Int
    let rules: NetworkRules
    /// Whether it is asked until an administrator says something else.
    let isOn: Bool
    /// Whether tiles may be fetched that no one looks at yet.
    var mayFetchInAdvance: Bool

    /// Whose rules forbid to fetch tiles for use without a network.
    private static let forbidding = ["openstreetmap.org"]
    /// A view asks for some twenty tiles at once, and then for none.
    private static let burst = 40

    init(
        address: String, tiles: String? = nil, cacheBytes: Int = 1 << 30,
        rules: NetworkRules = NetworkRules(perSecond: 25, perDay: 100_000), isOn: Bool = true
    ) {
        self.address = address
        self.tiles = tiles
        self.cacheBytes = cacheBytes
        self.rules = rules
        self.isOn = isOn
        mayFetchInAdvance = [address, tiles ?? address].allSatisfy { address in
            HostAddress(address).map { host in !Self.forbidding.contains(where: host.isWithin) } ?? false
        }
    }

    init(_ options: Options) throws(OptionError) {
        let flag = Self.network.addressFlag
        let own = try NetworkOptions.url(flag, options)
        let address = own ?? Self.network.asked?.address ?? ""
        guard HostAddress(address) != nil else {
            throw OptionError("\(flag) is \(address); http:// or https://, a host and perhaps a path are needed")
        }
        var rules = try NetworkOptions.rules(Self.network.name, options)
        rules.burst = Self.burst
        self.init(
            address: address, tiles: try NetworkOptions.url("--streetmap-tiles", options),
            cacheBytes: try options.integer("--streetmap-cache-bytes"), rules: rules, isOn: own != nil)
    }

    /// Whether a tile may be fetched from there: where the operator says, or else from the host that says so, or one
    /// below it. A TileJSON from elsewhere must not make this machine ask what only this machine reaches.
    func mayFetch(_ url: String) -> Bool {
        guard let host = HostAddress(url) else { return false }
        if let tiles { return url.begins(with: "\(tiles)/") }
        guard let own = HostAddress(address) else { return false }
        return host == own || host.isBelow(own)
    }

    /// Whether it may be at an address of the public internet alone: what the operator has not named may.
    func isPublicOnly(_ url: String) -> Bool { tiles == nil && HostAddress(url) != HostAddress(address) }
}

/// The beginning of a URL: how it is asked, and where.
struct HostAddress: Equatable {
    private let scheme: String
    private let authority: Authority

    /// Nil for a text that is none of http and https, or names its host in a way that others could read differently.
    init?(_ url: String) {
        guard let scheme = ["https", "http"].first(where: { url.begins(with: "\($0)://") }),
            let rest = url.after("\(scheme)://"), let authority = Authority(String(rest.until("/", "?", "#")))
        else { return nil }
        self.scheme = scheme
        self.authority = authority
    }

    /// Whether this is a name below another one: "a.tiles.example.org" below "tiles.example.org".
    func isBelow(_ other: HostAddress) -> Bool {
        !other.authority.isAddress && scheme == other.scheme && authority.port == other.authority.port
            && authority.host.ends(with: ".\(other.authority.host)")
    }

    /// Whether its host has this name, or one below it.
    func isWithin(_ name: String) -> Bool { authority.host.isSame(as: name) || authority.host.ends(with: ".\(name)") }
}

/// The network of streets, with where its tiles are kept.
struct KeptStreets: Sendable {
    let config: StreetConfig
    let folder: TileFolder

    /// Looks at what is there. Blocks.
    init(_ config: StreetConfig, folder: String) {
        self.config = config
        self.folder = TileFolder(below: folder, for: config.address, limitBytes: config.cacheBytes)
    }
}
