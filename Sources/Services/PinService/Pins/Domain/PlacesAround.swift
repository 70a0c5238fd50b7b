import Geo
import Requests

/// Splits what one question gives, nearest first, into the places that a pin links and their neighbours.
struct PlacesAround {
    /// What becomes of a page.
    struct Part: Equatable {
        var links: [NetworkPlace] = []
        var neighbours: [Neighbour] = []
    }

    private let pin: Pin
    private let maximumLinks: Int
    /// Places that are linked so far.
    private(set) var linkCount = 0
    private var neighbourCount = 0
    /// How far the linked places reach.
    private var linkedMetres = 0.0
    /// Whether the pin's circle has more places than it links.
    private(set) var isCut = false
    /// Whether what follows is of no interest.
    private(set) var isComplete = false

    init(_ pin: Pin, of network: PlaceNetwork) {
        self.pin = pin
        maximumLinks = network.maximumLinks
    }

    /// How far the question has to reach, in metres: a place that is not linked may be nearer to a photo than a linked
    /// one.
    static func metres(of pin: Pin) -> Double { pin.radiusMetres + Neighbour.reachMetres }

    /// Takes the next page.
    mutating func take(_ page: PlacePage) -> Part {
        var part = Part()
        for place in page.places where !isComplete { add(place, to: &part) }
        isComplete = isComplete || page.next.isEmpty || part == Part()
        return part
    }

    private mutating func add(_ place: NetworkPlace, to part: inout Part) {
        // Whatever a network returns, a place outside of the circle does not belong to the pin.
        let metres = pin.position.metres(to: place.position)
        if metres <= pin.radiusMetres, linkCount < maximumLinks {
            linkCount += 1
            linkedMetres = metres
            return part.links.append(place)
        }
        isCut = isCut || metres <= pin.radiusMetres
        let reach = isCut ? linkedMetres + Neighbour.reachMetres : Self.metres(of: pin)
        guard metres <= reach, neighbourCount < Neighbour.maximum else { return isComplete = true }
        neighbourCount += 1
        part.neighbours.append(
            Neighbour(id: place.id, position: place.position, isMinor: MinorKinds.areAll(place.categories)))
    }
}
