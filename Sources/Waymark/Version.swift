/// The version of this program.
enum Version {
    static let number = "0.1.0"

    /// What calls say of this program.
    static let agent = "waymark \(number)"
}
