import Contracts
import FoundationEssentials
import RPC
import Testing

@testable import Gateway

@Suite("P37 the OpenAPI description")
struct OpenAPITests {
    /// What is at a path of members of the document, as JSON; empty when there is nothing.
    private static func text(_ methods: [MethodDescriptor], at path: String...) throws -> String {
        var tree = OpenAPI(methods).document
        for name in path {
            guard case .object(let members) = tree, let member = members[name] else { return "" }
            tree = member
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(tree), as: UTF8.self)
    }

    private static func property(_ message: String, _ name: String) throws -> String {
        let methods =
            PlacesServiceMethods.all + PinServiceMethods.all + PhotoServiceMethods.all
            + EchoServiceMethods.all + ExploreServiceMethods.all + MapServiceMethods.all
        return try text(methods, at: "components", "schemas", message, "properties", name)
    }

    @Test("D6 has the limits that the .proto files say: of numbers, durations, texts and lists")
    func limits() throws {
        let limit = try Self.property("waymark.places.v1.NearbyRequest", "limit")
        #expect(
            limit.contains(#""default":20,"description":"How many places at most. From 1 to 200; 20 when not given.""#))
        #expect(limit.contains(#""maximum":200,"minimum":1"#))
        let radius = try Self.property("waymark.places.v1.NearbyRequest", "radiusM")
        #expect(radius.contains(#""maximum":100000,"minimum":0"#), "\(radius)")
        let latitude = try Self.property("waymark.geo.v1.Coordinate", "latitude")
        #expect(latitude.contains(#""maximum":90,"minimum":-90"#), "\(latitude)")
        let delay = try Self.property("waymark.rpc.v1.EchoRequest", "delay")
        #expect(delay.contains("From 0 to 5 seconds.") && delay.contains("s$\""), "\(delay)")
        #expect(try Self.property("waymark.pins.v1.CreatePinRequest", "name").contains(#""maxLength":200"#))
        #expect(try Self.property("waymark.pins.v1.GetPinRequest", "id").contains(#""pattern":"^(?:[0-9A-Fa-f]{8}"#))
        let ids = try Self.property("waymark.photos.v1.RemovePhotosRequest", "photoIds")
        #expect(ids.contains(#""maxItems":250,"minItems":1,"type":"array""#), "\(ids)")
    }

    @Test("D6 says where null may be: in fields of requests that are not required, not in lists, never in answers")
    func null() throws {
        #expect(try Self.property("waymark.places.v1.NearbyRequest", "limit").contains(#"["integer","string","null"]"#))
        #expect(try !Self.property("waymark.places.v1.NearbyRequest", "centre").contains("null"))
        let networks = try Self.property("waymark.places.v1.NearbyRequest", "networks")
        #expect(networks.contains(#"["array","null"]"#) && networks.contains(#""type":"string"}"#), "\(networks)")
        #expect(try !Self.property("waymark.places.v1.NearbyResponse", "truncated").contains("null"))
        let request = try Self.text(
            PlacesServiceMethods.all, at: "components", "schemas", "waymark.places.v1.NearbyRequest")
        #expect(request.contains(#""additionalProperties":false"#) && request.contains(#""required":["centre"]"#))
        #expect(
            try !Self.text(PlacesServiceMethods.all, at: "components", "schemas", "waymark.places.v1.NearbyResponse")
                .contains("additionalProperties"))
    }

    @Test("D6 requires numbers whose range has no 0")
    func needed() throws {
        let span = try Self.text(PinServiceMethods.all, at: "components", "schemas", "waymark.geo.v1.Span", "required")
        #expect(span == #"["latitudeDelta","longitudeDelta"]"#)
        let point = try Self.text(PinServiceMethods.all, at: "components", "schemas", "waymark.geo.v1.Coordinate")
        #expect(!point.contains("required"))
    }

    @Test("D6 names the role that a method's callers need")
    func roles() throws {
        let methods = PlacesServiceMethods.all + EchoServiceMethods.all
        for (method, roles) in [
            (PlacesServiceMethods.nearby, #"["user"]"#), (PlacesServiceMethods.deleteDataset, #"["admin"]"#),
            (PlacesServiceMethods.runImport, #"["admin"]"#), (EchoServiceMethods.echo, "[]"),
        ] {
            let security = try Self.text(methods, at: "paths", "/\(method.path)", "post", "security")
            #expect(security == #"[{},{"token":\#(roles)},{"session":\#(roles)}]"#)
        }
        #expect(try Self.text(methods, at: "security") == #"[{},{"token":[]},{"session":[]}]"#)
    }

    @Test("D6 names each status that an operation may answer with, and that its body is an error in JSON")
    func statuses() throws {
        let methods = EchoServiceMethods.all
        for (path, method, statuses) in [
            ("/\(EchoServiceMethods.echo.path)", "post", [400, 401, 415, 429, 503, 504]),
            ("/\(EchoServiceMethods.echo.path)", "get", [400, 401, 414, 504]),
            ("/\(EchoServiceMethods.echoStream.path)", "post", [413, 415]), ("/session", "post", [400, 401, 413, 415]),
            ("/events", "get", [400, 401]), ("/pictures/{ticket}", "get", [404, 416, 504]),
        ] {
            for status in statuses {
                let reference = try Self.text(methods, at: "paths", path, method, "responses", "\(status)")
                #expect(reference == ##"{"$ref":"#/components/responses/Error\##(status)"}"##, "\(method) \(path)")
                let content = try Self.text(
                    methods, at: "components", "responses", "Error\(status)", "content", "application/json", "schema")
                #expect(content == ##"{"$ref":"#/components/schemas/ConnectError"}"##)
            }
        }
        for code in RPCCode.allCases where code != .ok {
            let described = try Self.text(
                methods, at: "components", "responses", "Error\(code.httpStatus)", "description")
            #expect(described.contains(code.connectName), "\(code)")
        }
    }

    @Test("D6 describes the deadline of calls and of questions, with its range")
    func timeout() throws {
        let timeout = try Self.text(EchoServiceMethods.all, at: "components", "parameters", "Timeout")
        #expect(timeout.contains(#""maximum":9999999999,"minimum":1,"type":"integer""#), "\(timeout)")
        for method in ["get", "post"] {
            let parameters = try Self.text(
                EchoServiceMethods.all, at: "paths", "/\(EchoServiceMethods.echo.path)", method, "parameters")
            #expect(parameters.contains("#/components/parameters/Timeout"), "\(method)")
        }
    }
}
