import Contracts
import FieldRules
import ProtoSchema
import Testing
import Wire

@Suite("P36 The name that a caller gives a change")
struct RequestIDTests {
    @Test("is written in one way in every request that has one")
    func forms() throws {
        let schema = try unsafe Schema(fileDescriptorSet: WireDescriptors.fileDescriptorSet)
        let requests = schema.services.values.flatMap(\.methods).compactMap { schema.messages[$0.input] }
        let names = requests.flatMap(\.fields).filter { $0.name == "request_id" }
        #expect(!names.isEmpty && names.allSatisfy { $0.form == .requestID })
    }
}
