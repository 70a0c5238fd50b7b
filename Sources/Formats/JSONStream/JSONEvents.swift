internal import Bytes
internal import CYajl

/// Receives the content of a JSON text, in its order. Bytes are valid during the call only. A call that returns false
/// ends the reading.
package protocol JSONVisitor: AnyObject {
    func startObject() -> Bool
    func key(_ bytes: UnsafeRawBufferPointer) -> Bool
    func endObject() -> Bool
    func startArray() -> Bool
    func endArray() -> Bool
    func string(_ bytes: UnsafeRawBufferPointer) -> Bool
    /// The number as it is written.
    func number(_ bytes: UnsafeRawBufferPointer) -> Bool
    func literal(_ literal: JSONLiteral) -> Bool
}

/// true, false and null.
package enum JSONLiteral: String { case yes = "true", no = "false", null }

/// Reads a JSON text piece by piece with yajl.
@safe
package struct JSONEvents: ~Copyable {
    private let visitor: VisitorBox
    private let handle: yajl_handle

    /// Leads C's pointer back to the visitor.
    fileprivate final class VisitorBox {
        let visitor: any JSONVisitor
        init(_ visitor: any JSONVisitor) { self.visitor = visitor }
    }

    /// - Parameter several: whether further values may follow the first one.
    package init(_ visitor: any JSONVisitor, several: Bool = false) {
        let box = VisitorBox(visitor)
        self.visitor = box
        // The handle points to the box, which this value keeps until after the handle is freed.
        let handle = unsafe yajl_alloc(callbacks, nil, Unmanaged.passUnretained(box).toOpaque())
        guard let handle = unsafe handle else { preconditionFailure("out of memory") }
        _ = unsafe waymark_yajl_leave_strings_unchecked(handle)
        if several { _ = unsafe waymark_yajl_take_several_values(handle) }
        unsafe self.handle = handle
    }

    deinit { unsafe yajl_free(handle) }

    /// Reads on; false when the text is no JSON or the visitor has had enough.
    package func feed(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return unsafe yajl_parse(handle, start, bytes.count) == yajl_status_ok
    }

    /// How many of the bytes that it was last given it could read.
    package var readBytes: Int { unsafe Int(yajl_get_bytes_consumed(handle)) }

    /// Says that the text is over; false when it should not be.
    package func finish() -> Bool { unsafe yajl_complete_parse(handle) == yajl_status_ok }

    /// What is wrong with the text, in yajl's words.
    package var problem: String {
        guard let text = unsafe yajl_get_error(handle, 0, nil, 0) else { return "it is no JSON" }
        defer { unsafe yajl_free_error(handle, text) }
        return unsafe String(cString: text).split(at: "\n").joined(separator: " ")
    }
}

private typealias Context = UnsafeMutableRawPointer?

private func visit(_ context: Context, _ event: (any JSONVisitor) -> Bool) -> Int32 {
    guard let context = unsafe context else { return 0 }
    return event(unsafe Unmanaged<JSONEvents.VisitorBox>.fromOpaque(context).takeUnretainedValue().visitor) ? 1 : 0
}

/// The table that every handle points to. Made once, never changed and never freed, so any thread may read it.
nonisolated(unsafe) private let callbacks: UnsafePointer<yajl_callbacks> = {
    let table = UnsafeMutablePointer<yajl_callbacks>.allocate(capacity: 1)
    unsafe table.initialize(to: calls)
    return unsafe UnsafePointer(table)
}()

private var calls: yajl_callbacks {
    unsafe yajl_callbacks(
        yajl_null: { unsafe visit($0) { $0.literal(.null) } },
        yajl_boolean: { context, value in unsafe visit(context) { $0.literal(value != 0 ? .yes : .no) } },
        yajl_integer: nil,
        yajl_double: nil,
        yajl_number: { context, text, count in
            unsafe visit(context) { unsafe $0.number(UnsafeRawBufferPointer(start: text, count: count)) }
        },
        yajl_string: { context, text, count in
            unsafe visit(context) { unsafe $0.string(UnsafeRawBufferPointer(start: text, count: count)) }
        },
        yajl_start_map: { unsafe visit($0) { $0.startObject() } },
        yajl_map_key: { context, text, count in
            unsafe visit(context) { unsafe $0.key(UnsafeRawBufferPointer(start: text, count: count)) }
        },
        yajl_end_map: { unsafe visit($0) { $0.endObject() } },
        yajl_start_array: { unsafe visit($0) { $0.startArray() } },
        yajl_end_array: { unsafe visit($0) { $0.endArray() } }
    )
}
