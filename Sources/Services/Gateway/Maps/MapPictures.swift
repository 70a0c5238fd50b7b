import Caches
import Crypto
import EventLoops
import MapPicture
import RPC
import Synchronization

/// Draws pictures of the map, one at a time on a thread of its own, and keeps the latest.
///
/// So they never use more than one processor, nor more memory than the largest picture takes. Clients take turns.
final class MapPictures: Sendable {
    /// How many callers may wait for the thread.
    private static let maximumWaiting = 64
    /// The most bytes of all PNGs that are kept.
    private static let maximumKept = 16 << 20

    private struct State {
        var font: MapFont?
        var kept = BoundedCache<MapSubject, KeptMapPicture>(limit: MapPictures.maximumKept)
    }

    /// Nil without a map.
    private let data: MapData?
    private let state = Mutex(State())
    private let pool = BlockingPool(threadCount: 1, queueLimit: MapPictures.maximumWaiting, name: "map-pictures")

    /// - Parameters:
    ///   - map: the folder of the map's data; nil for none.
    ///   - towns: the table of all towns; nil for none.
    init(map: String?, towns: String?) { data = map.map { MapData(folder: $0, towns: towns) } }

    /// The picture of a view with these tiles, from memory or drawn.
    func picture(of view: MapView, _ tiles: [MapTiles] = []) async throws -> KeptMapPicture {
        let subject = MapSubject(view: view, sets: tiles.map(\.set))
        if let kept = kept(subject) { return kept }
        guard let data else { throw RPCError(.failedPrecondition, "this gateway has no map; --map says where one is") }
        do {
            // It may have been drawn for another caller meanwhile.
            return try await pool.run { try self.kept(subject) ?? self.draw(subject, data, tiles) }
        } catch let problem as MapProblem {
            throw RPCError(.failedPrecondition, "\(problem)")
        }
    }

    /// Whether a bundled map has streets in a view.
    func hasStreets(_ view: MapView) async throws -> Bool {
        guard let data else { return false }
        do {
            return try await pool.run { try data.hasStreets(in: view) }
        } catch let problem as MapProblem {
            throw RPCError(.failedPrecondition, "\(problem)")
        }
    }

    /// Ends the thread. Blocks until its current picture is done.
    func close() { pool.close() }

    /// A picture that was drawn before.
    func kept(_ subject: MapSubject) -> KeptMapPicture? { state.withLock { $0.kept.use(subject) } }

    private func draw(
        _ subject: MapSubject, _ data: MapData, _ tiles: [MapTiles]
    ) throws(MapProblem) -> KeptMapPicture {
        let picture = KeptMapPicture(try MapPicture(of: subject.view, data, font(), tiles: tiles))
        state.withLock { _ = $0.kept.add(picture, at: subject, cost: picture.png.count) }
        return picture
    }

    /// Read for the first picture.
    private func font() throws(MapProblem) -> MapFont {
        if let font = state.withLock({ $0.font }) { return font }
        let font = try MapFont()
        state.withLock { $0.font = font }
        return font
    }
}
