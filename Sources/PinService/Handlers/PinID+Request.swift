extension PinID {
    init(request text: String) throws(PinError) {
        guard let id = PinID(text) else {
            throw .invalid(field: "id", "\"\(text.prefix(50))\" is given, a UUID is needed")
        }
        self = id
    }
}
