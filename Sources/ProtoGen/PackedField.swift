/// One field of a packed message, where it lies.
struct PackedField {
    let number: UInt64
    /// The tag and, where there is one, the length.
    let head: ArraySlice<UInt8>
    let value: ArraySlice<UInt8>
}

extension ArraySlice<UInt8> {
    /// The fields of a packed message in their order. It must be one of descriptor.proto that we have packed ourselves:
    /// those hold only varints and what has a length.
    var fields: [PackedField] {
        var rest = self
        var fields: [PackedField] = []
        while !rest.isEmpty {
            let start = rest.startIndex
            let tag = rest.popVarint()
            precondition(tag & 7 == 0 || tag & 7 == 2, "wire type \(tag & 7) in a descriptor")
            let hasLength = tag & 7 == 2
            let length = hasLength ? Int(rest.popVarint()) : rest.prefix { $0 >= 0x80 }.count + 1
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
