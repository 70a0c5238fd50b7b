extension PinID {
    init(request text: String, field: String = "id") throws(PinError) {
        guard let id = PinID(text) else {
            throw .invalid(field: field, "\"\(text.prefix(50))\" is given, a UUID is needed")
        }
        self = id
    }

    /// Nil for an empty text.
    init?(optional text: String, field: String) throws(PinError) {
        if text.isEmpty { return nil }
        try self.init(request: text, field: field)
    }
}
