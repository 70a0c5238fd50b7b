import Bytes
import HTTP

/// All routes. It knows nothing of connections.
struct RouteTable: Sendable {
    private var places: [String: Route] = [:]
    /// The first that fits is taken.
    private var areas: [(start: String, end: String, route: Route)] = []

    init(_ routes: [Route]) {
        for route in routes {
            switch route.path {
            case .at(let path): places[path] = places[path] ?? route
            case .below(let start, let end): areas.append((start, end, route))
            }
        }
    }

    /// What is at a path, and the rest of that; nil when there is nothing.
    func find(_ path: String) -> (route: Route, rest: Substring)? {
        if let route = places[path] { return (route, "") }
        for area in areas {
            if let rest = path.after(area.start)?.before(area.end) { return (area.route, rest) }
        }
        return nil
    }
}
