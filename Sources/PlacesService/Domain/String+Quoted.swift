extension String {
    /// The text for a sentence: its beginning, in quotes.
    var quoted: String { utf8.count <= 80 ? "\"\(self)\"" : "\"\(prefix(60))…\"" }
}
