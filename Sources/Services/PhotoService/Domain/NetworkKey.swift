/// What is known of a key that an account has given for a network; the key itself is sealed, and not here.
struct NetworkKey: Equatable, Sendable {
    /// The most bytes of a key.
    static let longest = 500

    /// 32 hexadecimal digits, by the account, the network and the server: the ids of its photos begin with it.
    let id: String
    let account: String
    let network: String
    /// As people reach it.
    let server: String
    /// When it was given, in milliseconds since 1970.
    let setMilliseconds: Int64
    /// Why it opens nothing any more; empty while all is well.
    var problem = ""

    /// The name under which its cells are stored, with which the ids of its photos begin.
    var area: String { "\(network)/\(id)" }
}
