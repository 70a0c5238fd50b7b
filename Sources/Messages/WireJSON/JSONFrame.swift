// First: the module that loads its C structs first is taken for their owner.
internal import CProtobufC
internal import ProtoSchema

/// An object or a list that is being read.
@safe
struct JSONFrame {
    private let plan: MessagePlan?
    /// The C struct of an object's message; of a list, nothing.
    let target: UnsafeMutableRawPointer
    /// The field that a list is the values of; nil for an object.
    let list: FieldPlan?
    /// A list's values in protobuf-c's form, one after the other.
    private(set) var values: [UInt8] = []
    private(set) var count = 0
    /// The most bytes of a member's name that are compared.
    static let longestKey = 64
    /// The member that is being read, as it is spelled.
    private(set) var key: String?
    private var field: FieldPlan?
    /// What was given before: indices of fields, and of oneofs.
    private var fields: [Int] = []
    private var keys: [String] = []
    private var oneofs: [Int] = []

    /// An object.
    init(_ plan: MessagePlan, _ target: UnsafeMutableRawPointer) {
        self.plan = plan
        unsafe self.target = target
        list = nil
    }

    init(listOf field: FieldPlan) {
        plan = nil
        // Never written to: a list's values go into `values`.
        unsafe target = UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped
        list = field
    }

    /// The field that a value here belongs to; nil where a list is due.
    var expectsValue: FieldPlan? {
        if let list { return list }
        guard let field, !field.schema.isRepeated else { return nil }
        return field
    }

    /// The field that a list here belongs to; nil where a value is due.
    var expectsList: FieldPlan? {
        guard list == nil, let field, field.schema.isRepeated else { return nil }
        return field
    }

    mutating func append(_ value: UnsafeRawBufferPointer, _ stride: Int) {
        unsafe values.append(contentsOf: value.prefix(stride))
        count += 1
    }

    /// Continues with a member. Returns the refusal, as a function of the path, when it is not allowed.
    mutating func take(_ name: String) -> ((String) -> WireJSONError)? {
        key = name
        guard let plan, let index = plan.byName[name] else {
            let type = plan?.name ?? ""
            return { path in WireJSONError(.unknownField(path: path), "\(path): \(type) has no such field") }
        }
        let field = plan.fields[index]
        self.field = field
        if let other = zip(fields, keys).first(where: { $0.0 == index })?.1 {
            let sentence =
                other == name
                ? "is given twice; a member may be given once"
                : "is given twice, as \(field.schema.name) and \(field.schema.jsonName)"
            return { path in WireJSONError(.invalidValue(path: path), "\(path) \(sentence)") }
        }
        fields.append(index)
        keys.append(name)
        return nil
    }

    /// Takes the oneof of the present member for it; false when another one has it.
    mutating func claimOneof() -> Bool {
        guard let field, field.schema.isOneofMember, let oneof = field.schema.oneofIndex else { return true }
        guard !oneofs.contains(oneof) else { return false }
        oneofs.append(oneof)
        return true
    }
}
