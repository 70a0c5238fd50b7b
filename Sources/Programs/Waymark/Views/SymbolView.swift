import Bytes
import ProtoSchema
import Terminal

/// A symbol in the form of its .proto, with its comments.
struct SymbolView {
    private let schema: Schema

    init(_ schema: Schema) { self.schema = schema }

    /// A method is shown with its messages: a caller needs them.
    func lines(_ symbol: Symbol) -> [StyledLine] {
        switch symbol {
        case .service(let service):
            comment(service.comment, 0) + [open("service", service.fullName, 0)]
                + service.methods.flatMap { comment($0.comment, 1) + [self.method($0)] } + [close(0)]
        case .method(_, let method):
            comment(method.comment, 0) + [self.method(method, depth: 0)]
                + [method.input, method.output].compactMap { schema.messages[$0] }.flatMap {
                    [StyledLine()] + message($0, 0)
                }
        case .message(let message): self.message(message, 0)
        case .enumeration(let values): enumeration(values, 0)
        }
    }

    private func method(_ method: MethodSchema, depth: Int = 1) -> StyledLine {
        let input = "\(method.isClientStreaming ? "stream " : "")\(method.input)"
        let output = "\(method.isServerStreaming ? "stream " : "")\(method.output)"
        let line = indent(depth).adding("rpc ").adding(method.name, .bold).adding("(\(input)) returns (\(output));")
        switch method.idempotency {
        case .noSideEffects: return line.adding("  // changes nothing", .faint)
        case .idempotent: return line.adding("  // may be repeated", .faint)
        case .unknown: return line
        }
    }

    private func message(_ message: MessageSchema, _ depth: Int) -> [StyledLine] {
        let nested =
            message.enums.flatMap { enumeration($0, depth + 1) }
            + message.messages.filter { !$0.isMapEntry }.flatMap { self.message($0, depth + 1) }
        return comment(message.comment, depth)
            + [open("message", depth == 0 ? message.fullName : message.name, depth)] + nested
            + message.fields.filter { !$0.isOneofMember }.flatMap { field($0, depth + 1) }
            + message.oneofs.indices.filter { !message.oneofs[$0].isSynthetic }.flatMap {
                oneof($0, message, depth + 1)
            }
            + [close(depth)]
    }

    private func oneof(_ index: Int, _ message: MessageSchema, _ depth: Int) -> [StyledLine] {
        comment(message.oneofs[index].comment, depth) + [open("oneof", message.oneofs[index].name, depth)]
            + message.fields.filter { $0.oneofIndex == index }.flatMap { field($0, depth + 1) } + [close(depth)]
    }

    private func field(_ field: FieldSchema, _ depth: Int) -> [StyledLine] {
        let label = field.isRepeated ? "repeated " : field.isProto3Optional ? "optional " : ""
        return comment(field.comment, depth) + [
            indent(depth).adding("\(label)\(field.type.spelling) ").adding(field.name, .bold)
                .adding(" = \(field.number);")
        ]
    }

    private func enumeration(_ values: EnumSchema, _ depth: Int) -> [StyledLine] {
        comment(values.comment, depth) + [open("enum", depth == 0 ? values.fullName : values.name, depth)]
            + values.values.flatMap { value in
                comment(value.comment, depth + 1)
                    + [indent(depth + 1).adding(value.name, .bold).adding(" = \(value.number);")]
            } + [close(depth)]
    }

    private func comment(_ text: String, _ depth: Int) -> [StyledLine] {
        guard !text.isEmpty else { return [] }
        return text.split(at: "\n", omittingEmptySubsequences: false).map { line in
            indent(depth).adding(line.isEmpty ? "//" : "// \(line)", .faint)
        }
    }

    private func open(_ word: String, _ name: String, _ depth: Int) -> StyledLine {
        indent(depth).adding("\(word) ").adding(name, .bold).adding(" {")
    }

    private func close(_ depth: Int) -> StyledLine { indent(depth).adding("}") }

    private func indent(_ depth: Int) -> StyledLine { StyledLine(String(repeating: "  ", count: depth)) }
}
