internal import CProtobufC
internal import JSONStream
internal import ProtoSchema
internal import Wire

/// Fills protobuf-c's C structs from JSON while its text is parsed: there is no tree in between.
///
///     { "centre": { "latitude": 60.2 }, "categories": [ "amenity" ] }
///     object of   object of the field's                list of the field's
///     the root    message type                         values
///
/// Every open object and list is a frame on a stack. A refused value ends the reading.
@safe
final class JSONReader: JSONVisitor {
    private let plans: MessagePlans
    private let arena: Arena
    private let root: MessagePlan
    var frames: [JSONFrame] = []
    private var result: UnsafeMutableRawPointer?
    private var refusal: WireJSONError?

    init(plans: MessagePlans, arena: Arena, root: MessagePlan) {
        self.plans = plans
        self.arena = arena
        self.root = root
    }

    /// The C struct of the message in `json`, in the arena.
    func message(_ json: [UInt8]) throws(WireJSONError) -> UnsafeMutableRawPointer {
        guard !LoneSurrogate.isIn(json) else {
            throw WireJSONError(.notJSON, "the input is not valid JSON: an escape is half of a character")
        }
        let events = JSONEvents(self)
        let isRead = unsafe json.withUnsafeBytes { unsafe events.feed($0) } && events.finish()
        if let refusal { throw refusal }
        guard isRead, let result = unsafe result else {
            throw WireJSONError(.notJSON, "the input is not valid JSON: \(isRead ? "it is empty" : events.problem)")
        }
        return unsafe result
    }

    /// Runs one step; false ends the reading.
    private func step(_ body: () throws(WireJSONError) -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            refusal = error
            return false
        }
    }

    // MARK: JSONVisitor

    func startObject() -> Bool {
        step { () throws(WireJSONError) in
            let plan = try messagePlan(.object)
            let target = try unsafe room(plan.layout.structBytes)
            unsafe plan.layout.initialize(target)
            try unsafe put(target)
            unsafe frames.append(JSONFrame(plan, target))
        }
    }

    func endObject() -> Bool {
        frames.removeLast()
        return true
    }

    func key(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // No field has so long a name.
        let isName = bytes.count <= JSONFrame.longestKey
        let name = unsafe String(
            decoding: isName ? bytes : .init(rebasing: bytes.prefix(JSONFrame.longestKey)), as: UTF8.self)
        return step { () throws(WireJSONError) in
            let refusal = frames[frames.count - 1].take(isName ? name : "\(name)…")
            if let refusal { throw refusal(path) }
        }
    }

    func startArray() -> Bool {
        step { () throws(WireJSONError) in
            guard let field = frames.last?.expectsList else { throw unexpected(.list) }
            frames.append(JSONFrame(listOf: field))
        }
    }

    func endArray() -> Bool {
        step { () throws(WireJSONError) in
            let list = frames.removeLast()
            guard let field = list.list, list.count > 0, let message = frames.last else { return }
            let start = try unsafe room(list.values.count)
            unsafe list.values.withUnsafeBytes { values in
                unsafe start.copyMemory(from: values.baseAddress ?? UnsafeRawPointer(start), byteCount: values.count)
            }
            unsafe (message.target + field.offset).storeBytes(of: start, as: UnsafeMutableRawPointer?.self)
            unsafe (message.target + field.quantifierOffset).storeBytes(of: list.count, as: Int.self)
        }
    }

    func string(_ bytes: UnsafeRawBufferPointer) -> Bool {
        step { () throws(WireJSONError) in try unsafe take(.string(bytes)) }
    }

    func number(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let isShort = bytes.count <= JSONScalar.longestWord
        let digits = unsafe String(
            decoding: isShort ? bytes : .init(rebasing: bytes.prefix(JSONScalar.longestWord)), as: UTF8.self)
        return step { () throws(WireJSONError) in
            if !isShort { throw unexpected(.number(digits)) }
            try take(.number(digits))
        }
    }

    func literal(_ literal: JSONLiteral) -> Bool {
        step { () throws(WireJSONError) in
            guard literal == .null else { return try take(.flag(literal == .yes)) }
            // A field that is null is not given.
            guard let frame = frames.last, frame.list == nil else {
                throw frames.isEmpty
                    ? unexpected(.null) : invalid("is null; a list may not contain null")
            }
        }
    }
}

// MARK: values into their places

extension JSONReader {
    /// Stores a value that is not an object or a list.
    private func take(_ value: JSONScalar) throws(WireJSONError) {
        guard let field = frames.last?.expectsValue else {
            guard frames.isEmpty, let wellKnown = root.wellKnown else { throw unexpected(value.kind) }
            return unsafe result = try store(wellKnown, root, value)
        }
        if let plan = try plans.plan(of: field) {
            guard let wellKnown = plan.wellKnown else { throw unexpected(value.kind) }
            return try unsafe put(store(wellKnown, plan, value))
        }
        try unsafe place(field) { slot throws(WireJSONError) in try unsafe store(field, value, at: slot) }
    }

    /// Timestamps and durations are strings in JSON.
    private func store(
        _ type: WellKnownType, _ plan: MessagePlan, _ value: JSONScalar
    ) throws(WireJSONError) -> UnsafeMutableRawPointer {
        guard let text = value.word, let parsed = type.parse(text) else { throw unexpected(value.kind) }
        let target = try unsafe room(plan.layout.structBytes)
        unsafe plan.layout.initialize(target)
        for field in plan.fields {
            let slot = unsafe target + field.offset
            switch field.schema.name {
            case "seconds": unsafe slot.storeBytes(of: parsed.seconds, as: Int64.self)
            default: unsafe slot.storeBytes(of: parsed.nanoseconds, as: Int32.self)
            }
        }
        return unsafe target
    }

    /// Stores a message: in its field, its list, or at the root.
    private func put(_ message: UnsafeMutableRawPointer) throws(WireJSONError) {
        guard let field = frames.last?.expectsValue else { return unsafe result = message }
        try unsafe place(field) { slot throws(WireJSONError) in
            unsafe slot.storeBytes(of: message, as: UnsafeMutableRawPointer.self)
        }
    }

    /// Has a value written to where protobuf-c expects it.
    private func place(
        _ field: FieldPlan, _ write: (UnsafeMutableRawPointer) throws(WireJSONError) -> Void
    ) throws(WireJSONError) {
        let last = frames.count - 1
        guard frames[last].list == nil else {
            // No value is longer than protobuf-c's bytes.
            var value = unsafe ProtobufCBinaryData()
            try unsafe write(&value)
            let stride = field.schema.type.cStride
            guard arena.charge(count: 1, bytesEach: stride) else { throw overBudget }
            return unsafe withUnsafeBytes(of: value) { unsafe frames[last].append($0, stride) }
        }
        guard frames[last].claimOneof() else {
            throw invalid("is given with another field of the same oneof; only one of them is allowed")
        }
        let target = unsafe frames[last].target
        try unsafe write(target + field.offset)
        // protobuf-c keeps a C enum there; it makes sure that it has the size of an int.
        guard field.isInOneof else { return }
        unsafe (target + field.quantifierOffset).storeBytes(of: UInt32(field.schema.number), as: UInt32.self)
    }

    /// The type of the message that an object here would be.
    private func messagePlan(_ kind: JSONKind) throws(WireJSONError) -> MessagePlan {
        let plan: MessagePlan
        if frames.isEmpty {
            plan = root
        } else {
            guard let field = frames.last?.expectsValue, let own = try plans.plan(of: field) else {
                throw unexpected(kind)
            }
            plan = own
        }
        guard plan.wellKnown == nil else { throw unexpected(kind) }
        return plan
    }

    func room(_ byteCount: Int) throws(WireJSONError) -> UnsafeMutableRawPointer {
        guard let room = unsafe arena.allocate(byteCount) else { throw overBudget }
        return unsafe room
    }

    private var overBudget: WireJSONError {
        WireJSONError(.overBudget, "\(path): the message takes more memory than a message may use")
    }
}

// MARK: refusals

extension JSONReader {
    /// The position in the message: "route.points[3].latitude".
    var path: String {
        frames.indices.reduce(into: "") { path, index in
            let frame = frames[index]
            if frame.list != nil {
                // An element that is being read has been counted.
                path += "[\(index == frames.count - 1 ? frame.count : frame.count - 1)]"
            } else if let key = frame.key {
                path += path.isEmpty ? key : ".\(key)"
            }
        }
    }

    func invalid(_ sentence: String) -> WireJSONError {
        let path = path
        return WireJSONError(.invalidValue(path: path), "\(path.isEmpty ? "the message" : path) \(sentence)")
    }

    /// The value here is not allowed for the field.
    func unexpected(_ kind: JSONKind) -> WireJSONError { invalid("is \(kind.text); allowed: \(allowed)") }

    private var allowed: String {
        guard let frame = frames.last else { return Self.allowed(root) }
        guard let field = frame.expectsValue else { return frame.expectsList == nil ? "no value" : "a list" }
        return (try? plans.plan(of: field)).map(Self.allowed) ?? field.allowed
    }

    private static func allowed(_ plan: MessagePlan) -> String {
        plan.wellKnown?.allowed ?? "an object with the fields of \(plan.name)"
    }
}
