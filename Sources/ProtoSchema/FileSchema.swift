/// One .proto file.
package struct FileSchema: Sendable {
    /// Path below the import root: "waymark/rpc/v1/echo.proto".
    package var name: String
    /// Dotted package name, empty when the file has none.
    package var package: String
    /// "proto2" or "proto3".
    package var syntax: String
    /// Paths of the imported files.
    package var imports: [String] = []
    /// Whether any import is `public` or `weak`.
    package var hasPublicImports = false
    /// Messages that are not inside others, in the order of the file.
    package var messages: [MessageSchema] = []
    /// Enums that are not inside messages.
    package var enums: [EnumSchema] = []
    /// Services, in the order of the file.
    package var services: [ServiceSchema] = []
    /// Extension fields that the file declares.
    package var extensions: [FieldSchema] = []
}
