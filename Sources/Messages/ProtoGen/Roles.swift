internal import ProtoSchema

extension Schema {
    /// What the roles that a method may need are called in Swift, by number: all values of the enum but the first, that
    /// is none.
    var roles: [Int: String] {
        guard let values = enums["waymark.rpc.v1.Role"]?.values else { return [:] }
        let named = values.filter { $0.number > 0 }.map { (Int($0.number), SwiftNames.value($0.name, of: "Role")) }
        return Dictionary(named) { first, _ in first }
    }
}
