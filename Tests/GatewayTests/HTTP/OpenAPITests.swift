import Contracts
import FoundationEssentials
import Testing

@testable import Gateway

@Suite("The OpenAPI description")
struct OpenAPITests {
    @Test("has the limits that the .proto files say")
    func limits() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let document = OpenAPI(PlacesServiceMethods.all).document
        let text = String(decoding: try encoder.encode(document), as: UTF8.self)
        #expect(
            text.contains(
                #""limit":{"default":20,"description":"How many places at most. From 1 to 200; 20 when not given.","#
                    + #""maximum":200,"minimum":1,"type":"integer"}"#))
        #expect(text.contains(#""maximum":100000,"minimum":0,"type":["number","string"]"#))
    }
}
