import Geo
import Storage

extension DiscoverJob {
    /// Notes the places of a network around those that a pin links, which reach `linkedMetres` far, so that the photo
    /// service gives no photo to a linked place when another one is nearer. False when the run has nothing more to do.
    func noteNeighbours(
        of pin: Pin, _ network: PlaceNetwork, _ linkedMetres: Double, _ lease: JobLease
    ) async throws -> Bool {
        let reach = linkedMetres + Neighbour.reachMetres
        let question = PlaceQuestion(
            network: network.name, centre: pin.position, radiusMetres: nil, account: pin.account)
        var (count, page) = (0, "")
        repeat {
            let answer = try await ask(question, page, Self.pageSize, pin)
            let near = answer.places.filter { pin.position.metres(to: $0.position) <= reach }
            let neighbours = near.map { Neighbour(id: $0.id, position: $0.position) }
            let isHeld = try await store.database.write { transaction throws(SQLError) in
                guard try transaction.holds(lease) else { return false }
                return try transaction.note(neighbours, of: pin.id)
            }
            guard isHeld else { return false }
            count += near.count
            page = near.isEmpty || near.count < answer.places.count ? "" : answer.next
        } while !page.isEmpty && count < network.mostLinks + Neighbour.most
        return true
    }
}
