/// The right to run one job until `endMilliseconds`. Who comes after has a higher token, and what this one then still
/// writes is refused.
package struct JobLease: Equatable, Sendable {
    /// What is to be done: "discover".
    package let kind: String
    /// For what: unique within its kind.
    package let key: String
    /// The fencing token: greater than that of every lease before.
    package let token: Int64
    /// Runs before this one that failed since the job was asked for.
    package let tries: Int
    /// Runs right before this one that ended because their process died, maybe of them.
    package let kills: Int
}
