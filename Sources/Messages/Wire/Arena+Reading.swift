internal import Bytes
package import CProtobufC

/// Called by generated code to turn the fields of an unpacked C struct into Swift values.
extension Arena {
    /// A bytes field.
    package func bytes(_ data: ProtobufCBinaryData) -> [UInt8] {
        unsafe [UInt8](UnsafeBufferPointer(start: data.data, count: data.len))
    }

    /// - Parameter field: the field's full name, for the error.
    package func string(_ data: ProtobufCBinaryData, _ field: StaticString) throws(WireError) -> String {
        // Much faster than String(validating:as:), which looks up generic metadata at run time.
        let bytes = unsafe UnsafeBufferPointer(start: data.data, count: data.len)
        guard let text = unsafe try? UTF8Span(validating: bytes.span) else { throw .invalidUTF8(field) }
        return String(copying: text).streamSafe
    }

    /// A list of strings; `field` is its full name, for the error.
    package func strings(
        _ count: Int, _ source: UnsafePointer<ProtobufCBinaryData>?, _ field: StaticString
    ) throws(WireError) -> [String] {
        try reserve(count, bytesEach: MemoryLayout<String>.stride)
        var strings: [String] = []
        strings.reserveCapacity(count)
        guard let source = unsafe source else { return strings }
        for index in 0..<count { strings.append(try unsafe string(source[index], field)) }
        return strings
    }

    /// A list of bytes.
    package func byteArrays(
        _ count: Int, _ source: UnsafePointer<ProtobufCBinaryData>?
    ) throws(WireError) -> [[UInt8]] {
        // Each array that is not empty has a heap object with a head of 32 bytes.
        try reserve(count, bytesEach: MemoryLayout<[UInt8]>.stride + 32)
        return unsafe UnsafeBufferPointer(start: source, count: count).map { unsafe bytes($0) }
    }

    /// A list of bools.
    package func bools(_ count: Int, _ source: UnsafePointer<protobuf_c_boolean>?) throws(WireError) -> [Bool] {
        try reserve(count, bytesEach: MemoryLayout<Bool>.stride)
        return unsafe UnsafeBufferPointer(start: source, count: count).map { $0 != 0 }
    }

    /// A list of numbers.
    package func scalars<Scalar: BitwiseCopyable>(
        _ count: Int, _ source: UnsafePointer<Scalar>?
    ) throws(WireError) -> [Scalar] {
        try reserve(count, bytesEach: MemoryLayout<Scalar>.stride)
        return unsafe [Scalar](UnsafeBufferPointer(start: source, count: count))
    }

    /// A list of enums, including unknown numbers.
    package func enums<Value: RawRepresentable<Int32>>(
        _ count: Int, _ source: UnsafePointer<Int32>?
    ) throws(WireError) -> [Value] {
        try reserve(count, bytesEach: MemoryLayout<Value>.stride)
        return unsafe UnsafeBufferPointer(start: source, count: count).compactMap { Value(rawValue: $0) }
    }

    /// Charges an array of `count` elements to the budget before it is made.
    package func reserve(_ count: Int, bytesEach: Int) throws(WireError) {
        guard charge(count: count, bytesEach: bytesEach) else {
            throw WireError(
                code: .overBudget, message: "an array of \(count) elements takes more memory than a message may use")
        }
    }
}
