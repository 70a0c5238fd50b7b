/// A C string, empty when there is none.
func text(_ pointer: UnsafePointer<CChar>?) -> String {
    unsafe pointer.map { unsafe String(cString: $0) } ?? ""
}

/// Descriptors write full names with a leading dot.
func undotted(_ name: String) -> String { name.first == "." ? String(name.dropFirst()) : name }

/// A full name out of the name of what surrounds it.
func joined(_ scope: String, _ name: String) -> String { scope.isEmpty ? name : "\(scope).\(name)" }

/// Maps one of protobuf-c's arrays of pointers, with each element's index.
func list<Element, Value>(
    _ pointers: UnsafeMutablePointer<UnsafeMutablePointer<Element>?>?, _ count: Int,
    _ transform: (UnsafePointer<Element>, Int32) -> Value
) -> [Value] {
    (0..<count).compactMap { index in
        unsafe pointers?[index].map { unsafe transform($0, Int32(index)) }
    }
}
