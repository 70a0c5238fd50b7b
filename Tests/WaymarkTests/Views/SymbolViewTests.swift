import Testing
import WireJSON

@testable import ProtoSchema
@testable import Terminal
@testable import Waymark

@Suite("Symbols for a person")
struct SymbolViewTests {
    private func lines(_ symbol: Symbol) -> [String] {
        SymbolView(.embedded).lines(symbol).map { $0.text(on: .paper()) }
    }

    @Test("every symbol that is built in can be shown, and its JSON written")
    func all() throws {
        let schema = Schema.embedded
        let methods = schema.services.values.flatMap { service in
            service.methods.map { Symbol.method(service, $0) }
        }
        let symbols =
            schema.services.values.map { Symbol.service($0) } + methods
            + schema.messages.values.map { Symbol.message($0) } + schema.enums.values.map { Symbol.enumeration($0) }
        for symbol in symbols {
            let lines = lines(symbol)
            #expect(lines.filter { $0.hasSuffix("{") }.count == lines.filter { $0.hasSuffix("}") }.count)
            #expect(try OneLineJSON.of(SymbolJSON(symbol)).hasPrefix("{"))
        }
    }

    @Test("fields have their labels, oneofs and nested types their place")
    func message() {
        let inner = EnumSchema(name: "Shade", fullName: "a.M.Shade", values: [EnumValueSchema(name: "DARK", number: 0)])
        var message = MessageSchema(name: "M", fullName: "a.M", comment: "First line.\n\nThird line.")
        message.enums = [inner]
        message.oneofs = [OneofSchema(name: "either"), OneofSchema(name: "_maybe", isSynthetic: true)]
        message.fields = [
            FieldSchema(name: "many", jsonName: "many", number: 1, type: .enum("a.M.Shade"), label: .repeated),
            FieldSchema(name: "left", jsonName: "left", number: 2, type: .string, label: .optional, oneofIndex: 0),
            FieldSchema(
                name: "maybe", jsonName: "maybe", number: 3, type: .sint64, label: .optional, oneofIndex: 1,
                isProto3Optional: true),
        ]
        #expect(
            lines(.message(message)) == [
                "// First line.", "//", "// Third line.", "message a.M {", "  enum Shade {", "    DARK = 0;", "  }",
                "  repeated a.M.Shade many = 1;", "  optional sint64 maybe = 3;", "  oneof either {",
                "    string left = 2;", "  }", "}",
            ])
    }
}
