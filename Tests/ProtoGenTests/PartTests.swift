import Testing

@testable import ProtoGen

@Suite("Parts of the contracts")
struct PartTests {
    @Test(
        "follow from the path of a .proto",
        arguments: [
            ("waymark/lists/v1/lists.proto", "PinContracts"), ("waymark/pins/v1/pins.proto", "PinContracts"),
            ("waymark/pins/v1/pin_state.proto", "BaseContracts"), ("waymark/geo/v1/geo.proto", "BaseContracts"),
            ("waymark/photos/v1/photos.proto", "PhotoContracts"), ("waymark/rpc/v1/frames.proto", "Wire"),
            ("waymark/new/v1/new.proto", "BaseContracts"), ("waymark/testing/v1/every.proto", "TestProtos"),
        ])
    func module(path: String, module: String) { #expect(ContractPart.of(path).module == module) }

    @Test("are one in Swift and one in C, and services stand above the RPC")
    func modules() {
        let (pin, wire) = (ContractPart.of("waymark/pins/v1/pins.proto"), ContractPart.wire)
        #expect(pin.folder == "Sources/Messages/PinContracts" && pin.serviceModule == "PinContracts")
        #expect(pin.cModule == "CPinProtos" && pin.cFolder == "Sources/Messages/CProtos/CPinProtos")
        #expect(wire.serviceModule == "BaseContracts" && wire.serviceFolder == "Sources/Messages/BaseContracts")
    }
}
