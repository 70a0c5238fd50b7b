import Requests
import Testing

@Suite("R5 Kinds of things that no one photographs")
struct MinorKindsTests {
    @Test(
        "a stop, a machine, a bench, a house of which only the number is known",
        arguments: [
            "highway/bus_stop", "railway/tram_stop", "amenity/parking_space", "amenity/car_sharing",
            "amenity/vending_machine", "amenity/bench", "amenity/charging_station", "address", "entrance/main",
        ])
    func minor(category: String) {
        #expect(MinorKinds.areAll([category]))
        #expect(MinorKinds.areAll([category, "public_transport/platform"]))
        #expect(!MinorKinds.areAll([category, "historic/memorial"]))
    }

    @Test(
        "all else is not, nor what is not known",
        arguments: [
            "historic/castle", "amenity/cafe", "railway/station", "public_transport/station", "shop", "building",
        ])
    func others(category: String) {
        #expect(!MinorKinds.areAll([category]))
        #expect(!MinorKinds.areAll([]))
    }
}
