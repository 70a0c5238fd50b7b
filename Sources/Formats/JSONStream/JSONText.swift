internal import CYajl

/// A JSON text that is written value by value, with yajl.
@safe
package struct JSONText: ~Copyable {
    private let handle: yajl_gen

    /// - Parameter isPretty: on many lines, indented.
    package init(isPretty: Bool = false) {
        guard let handle = unsafe yajl_gen_alloc(nil) else { preconditionFailure("out of memory") }
        if isPretty { _ = unsafe waymark_yajl_write_on_many_lines(handle) }
        unsafe self.handle = handle
    }

    deinit { unsafe yajl_gen_free(handle) }

    package borrowing func startObject() { _ = unsafe yajl_gen_map_open(handle) }
    package borrowing func endObject() { _ = unsafe yajl_gen_map_close(handle) }
    package borrowing func startArray() { _ = unsafe yajl_gen_array_open(handle) }
    package borrowing func endArray() { _ = unsafe yajl_gen_array_close(handle) }

    /// A string, or the name of a member. False when the bytes are not UTF-8; then nothing was written.
    @discardableResult
    package borrowing func string(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let characters = unsafe UnsafeBufferPointer<UInt8>(
            start: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        // yajl's own check lets surrogates and overlong forms through.
        guard (try? UTF8Span(validating: unsafe characters.span)) != nil else { return false }
        return unsafe write(characters)
    }

    package borrowing func string(_ text: String) {
        var text = text
        text.withUTF8 { bytes in _ = unsafe write(bytes) }
    }

    private borrowing func write(_ characters: UnsafeBufferPointer<UInt8>) -> Bool {
        // It needs an address even for no bytes.
        var nothing: UInt8 = 0
        guard let start = characters.baseAddress else {
            return unsafe yajl_gen_string(handle, &nothing, 0) == yajl_gen_status_ok
        }
        return unsafe yajl_gen_string(handle, start, characters.count) == yajl_gen_status_ok
    }

    /// A number as it is to be written.
    package borrowing func number(_ digits: String) {
        var digits = digits
        digits.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { bytes in
                _ = unsafe yajl_gen_number(handle, bytes.baseAddress, bytes.count)
            }
        }
    }

    package borrowing func flag(_ value: Bool) { _ = unsafe yajl_gen_bool(handle, value ? 1 : 0) }

    /// What was written, without a line end behind it.
    package borrowing func bytes() -> [UInt8] {
        var start: UnsafePointer<UInt8>?
        var count = 0
        guard unsafe yajl_gen_get_buf(handle, &start, &count) == yajl_gen_status_ok else { return [] }
        let text = unsafe UnsafeBufferPointer(start: start, count: count)
        return unsafe Array(text.last == UInt8(ascii: "\n") ? text.dropLast() : text[...])
    }
}
