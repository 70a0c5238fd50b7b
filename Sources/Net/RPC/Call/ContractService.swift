/// A service of the contract, and who answers it. ProtoGen writes the list of all from the options in the .proto files.
package struct ContractService: Sendable {
    /// "waymark.pins.v1.PinService"
    package let name: String
    /// The programs that answer it: "pin-service". One by itself, or several of which a caller chooses.
    package let answeredBy: [String]
    package let methods: [MethodDescriptor]

    package init(_ name: String, answeredBy: [String], methods: [MethodDescriptor]) {
        self.name = name
        self.answeredBy = answeredBy
        self.methods = methods
    }
}
