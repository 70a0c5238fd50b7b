/// Which attributes hold other names of a place, for searches by name.
enum NameKeys {
    private static let names: Set<String> = [
        "alt_names", "alt_name", "alternate_names", "alternatenames", "old_name", "short_name", "official_name",
        "loc_name",
        "int_name", "asciiname",
    ]

    /// Also takes "name_fi" and "name:fi".
    static func contains(_ key: String) -> Bool {
        key.hasPrefix("name_") || key.hasPrefix("name:") || names.contains(key)
    }
}
