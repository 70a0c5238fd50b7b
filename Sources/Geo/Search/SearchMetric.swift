/// A cheap measure of nearness that stands in for the exact distance while candidates are sifted.
///
/// A key grows with distance and never overstates it: with `exact(p)` the true measure in the metric's own unit,
///
///     key(p) ≤ exact(p) ≤ key(p) · ratio      for every point within the radius.
///
/// So a key above the bound rules a point out, a key below bound/ratio rules it in, and only what falls between is
/// measured exactly. Two metrics exist: flat (near, fast) and spherical (any radius, any place).
protocol SearchMetric {
    /// Points with a greater key lie beyond the radius.
    var outerKey: Float { get }
    /// Points with at most this key lie within the radius.
    var innerKey: Float { get }
    /// The most by which the true measure exceeds a key.
    var ratio: Float { get }
    /// A key that is at most that of any place as far as `metres`, and its opposite.
    func keys(ofMetres metres: Double) -> (low: Float, high: Float)

    /// The least keys of the first `count` nodes in a group; all 16 slots may be written.
    func nearKeys(_ group: UnsafeRawPointer, count: Int, into keys: UnsafeMutablePointer<Float>)
    /// The greatest keys of the same.
    func farKeys(_ group: UnsafeRawPointer, count: Int, into keys: UnsafeMutablePointer<Float>)
    /// The keys of the first `count` points in a block; all 32 slots may be written.
    func pointKeys(_ block: UnsafeRawPointer, count: Int, into keys: UnsafeMutablePointer<Float>)
}
