package import CProtobufC

/// Called by generated code to turn Swift values into the fields of a C struct to be packed. Strings and arrays are
/// copied: pointers into them would be valid only inside nested closures, and copying a short one is cheaper.
extension PackingArena {
    /// A bytes field.
    package func store(_ bytes: [UInt8]) -> ProtobufCBinaryData {
        unsafe bytes.withUnsafeBufferPointer { unsafe store(bytes: $0) }
    }

    /// A string field.
    package func store(_ text: String) -> ProtobufCBinaryData {
        if let stored = unsafe text.utf8.withContiguousStorageIfAvailable({ unsafe store(bytes: $0) }) {
            return unsafe stored
        }
        return unsafe store([UInt8](text.utf8))
    }

    private func store(bytes: UnsafeBufferPointer<UInt8>) -> ProtobufCBinaryData {
        guard let start = bytes.baseAddress, !bytes.isEmpty else {
            return unsafe ProtobufCBinaryData(len: 0, data: nil)
        }
        let target = unsafe room(bytes.count)
        unsafe target.copyMemory(from: start, byteCount: bytes.count)
        return unsafe ProtobufCBinaryData(len: bytes.count, data: target.assumingMemoryBound(to: UInt8.self))
    }

    /// A list of strings, nil when it is empty.
    package func store(strings: [String]) -> UnsafeMutablePointer<ProtobufCBinaryData>? {
        unsafe array(strings) { unsafe store($0) }
    }

    /// A list of bytes, nil when it is empty.
    package func store(byteArrays: [[UInt8]]) -> UnsafeMutablePointer<ProtobufCBinaryData>? {
        unsafe array(byteArrays) { unsafe store($0) }
    }

    /// A list of bools, nil when it is empty.
    package func store(bools: [Bool]) -> UnsafeMutablePointer<protobuf_c_boolean>? {
        unsafe array(bools) { $0 ? 1 : 0 }
    }

    /// A list of numbers, nil when it is empty.
    package func store<Scalar: BitwiseCopyable>(scalars: [Scalar]) -> UnsafeMutablePointer<Scalar>? {
        unsafe scalars.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, !scalars.isEmpty else { return nil }
            let target = unsafe room(bytes.count)
            unsafe target.copyMemory(from: start, byteCount: bytes.count)
            return unsafe target.assumingMemoryBound(to: Scalar.self)
        }
    }

    /// A list of enums, nil when it is empty.
    package func store<Value: RawRepresentable<Int32>>(enums: [Value]) -> UnsafeMutablePointer<Int32>? {
        unsafe array(enums) { $0.rawValue }
    }

    /// A C array with one element for each of `values`, nil when there are none.
    func array<Value, Element>(
        _ values: [Value], _ element: (Value) -> Element
    ) -> UnsafeMutablePointer<Element>? {
        guard !values.isEmpty else { return nil }
        let start = unsafe room(values.count * MemoryLayout<Element>.stride).assumingMemoryBound(to: Element.self)
        for index in values.indices { unsafe (start + index).initialize(to: element(values[index])) }
        return unsafe start
    }
}
