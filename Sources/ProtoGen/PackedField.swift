/// One field of a packed message, where it lies.
struct PackedField {
    let number: UInt64
    /// The tag and, where there is one, the length.
    let head: ArraySlice<UInt8>
    let value: ArraySlice<UInt8>
}

extension ArraySlice<UInt8> {
    /// The fields of a packed message in their order. It is one that we have packed ourselves, so nothing is cut off.
    var fields: [PackedField] {
        var rest = self
        var fields: [PackedField] = []
        while !rest.isEmpty {
            let start = rest.startIndex
            let tag = rest.popVarint()
            let length =
                switch tag & 7 {
                case 0: rest.prefix { $0 >= 0x80 }.count + 1
                case 1: 8
                case 5: 4
                default: Int(rest.popVarint())
                }
            fields.append(
                PackedField(number: tag >> 3, head: self[start..<rest.startIndex], value: rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return fields
    }

    private mutating func popVarint() -> UInt64 {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = popFirst() {
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        return number
    }
}
