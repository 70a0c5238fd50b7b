internal import ProtoSchema

/// The names that protoc-c 1.4 gives to things in C (observed from its output).
enum CNames {
    /// The struct of a message: waymark.rpc.v1.EchoRequest → Waymark__Rpc__V1__EchoRequest.
    static func structure(_ fullName: String) -> String {
        fullName.split(separator: ".").map { $0.split(separator: "_").map(capitalized).joined() }.joined(
            separator: "__")
    }

    /// The prefix of a message's functions: waymark.rpc.v1.EchoRequest → waymark__rpc__v1__echo_request.
    static func function(_ fullName: String) -> String {
        fullName.split(separator: ".").map { lowered($0) }.joined(separator: "__")
    }

    /// The member of a field, after the rewriter had its way: `_` follows names that C or the struct itself needs.
    static func member(_ field: String) -> String { reserved.contains(field) ? "\(field)_" : field }

    /// The member that says which field of a oneof is set.
    static func oneofCase(_ oneof: String) -> String { "\(lowered(oneof[...]))_case" }

    private static func lowered(_ name: Substring) -> String {
        var result = ""
        var wasUpper = true
        for character in name {
            if character.isUppercase && !wasUpper { result += "_" }
            result += character.lowercased()
            wasUpper = character.isUppercase
        }
        return result
    }

    private static func capitalized(_ part: Substring) -> String {
        part.prefix(1).uppercased() + part.dropFirst()
    }

    private static let reserved: Set<String> = [
        "base", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch", "char", "class",
        "compl", "const", "const_cast", "continue", "default", "delete", "do", "double", "dynamic_cast", "else", "enum",
        "explicit", "export", "extern", "false", "float", "for", "friend", "goto", "if", "inline", "int", "long",
        "mutable", "namespace", "new", "not", "not_eq", "operator", "or", "or_eq", "private", "protected", "public",
        "register", "reinterpret_cast", "restrict", "return", "short", "signed", "sizeof", "static", "static_cast",
        "struct", "switch", "template", "this", "throw", "true", "try", "typedef", "typeid", "typename", "typeof",
        "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while", "xor", "xor_eq", "unix",
        "linux", "errno", "stdin", "stdout", "stderr", "near", "far",
    ]
}
