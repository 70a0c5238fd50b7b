package import Contracts

/// What has to be true of a pin once nothing is to be done any more.
extension SystemUnderTest {
    /// Sentences on how a pin is not final, or not as it was acknowledged.
    package func differences(of pin: Pin, from entry: Journal.Entry) -> [String] {
        stateDifferences(of: pin) + changeDifferences(of: pin, from: entry) + warningDifferences(of: pin, from: entry)
    }

    /// Sentences on where a pin is not final, or its counters are not those of what is listed.
    package func countDifferences(of id: String, from entry: Journal.Entry) async throws -> [String] {
        let answer = try await answered("GetPin") { try await pins.getPin(GetPinRequest(id: id), $0) }
        guard let pin = answer.pin else { return ["there is no pin in the answer"] }
        var found = differences(of: pin, from: entry)
        let places = try await places(of: id)
        found += placeDifferences(of: pin, places)
        found += try await albumDifferences(of: pin, from: entry)
        guard found.isEmpty else { return found }
        for place in places where place.photoCount > 0 { found += try await albumDifferences(of: place) }
        return found
    }

    private func stateDifferences(of pin: Pin) -> [String] {
        var found: [String] = []
        if pin.state != .ready { found.append("state \(pin.state.rawValue) is not READY") }
        for search in pin.searches where search.state != .done {
            found.append("\(search.network): state \(search.state.rawValue) is not DONE (\(search.warning))")
        }
        if pin.searches.isEmpty { found.append("no network was asked") }
        return found
    }

    /// While the photo service is away a pin is READY without its photos, and may have no album yet. That other photos
    /// were asked for and there are none is final: an album may hold nothing but what was uploaded into it.
    private func warningDifferences(of pin: Pin, from entry: Journal.Entry) -> [String] {
        let isFinal =
            pin.photoWarning.isEmpty || entry.isAskedForOthers && pin.photoWarning == "no other photos were found"
        return isFinal ? [] : ["photo_warning \"\(pin.photoWarning)\""]
    }

    private func changeDifferences(of pin: Pin, from entry: Journal.Entry) -> [String] {
        var found: [String] = []
        if pin.generation < entry.generation { found.append("generation \(pin.generation) < \(entry.generation)") }
        if pin.position != entry.position { found.append("it is not where it was acknowledged to be") }
        if pin.radiusM != entry.radiusM { found.append("radius \(pin.radiusM) is not \(entry.radiusM)") }
        if pin.isNamed != !entry.name.isEmpty || pin.isNamed && pin.name != entry.name {
            found.append("its name \"\(pin.name)\" is not \"\(entry.name)\"")
        }
        return found
    }

    private func placeDifferences(of pin: Pin, _ places: [PinPlace]) -> [String] {
        var found: [String] = []
        let withPhotos = places.count { $0.photoCount > 0 }
        let photos = places.reduce(0) { $0 + Int($1.photoCount) }
        func compare(_ what: String, _ told: UInt32, _ listed: Int) {
            if Int(told) != listed { found.append("\(what) \(told), \(listed) listed") }
        }
        compare("place_count", pin.placeCount, places.count)
        compare("photo_place_count", pin.photoPlaceCount, withPhotos)
        compare("photo_count", pin.photoCount, photos)
        if places.isEmpty { found.append("it has no places, and there are some wherever pins are put") }
        if Set(places.map(\.id)).count != places.count { found.append("a place is linked twice") }
        if zip(places, places.dropFirst()).contains(where: { $0.distanceM > $1.distanceM }) {
            found.append("its places are not in order of distance")
        }
        return found
    }
}
