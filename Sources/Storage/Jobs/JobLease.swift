/// The right to run one job until `endMilliseconds`. A later lease has a higher token, and then writes under this one
/// are refused.
package struct JobLease: Equatable, Sendable {
    /// The kind of the job: "discover".
    package let kind: String
    /// What the job is for: unique within its kind.
    package let key: String
    /// The fencing token: greater than that of every earlier lease.
    package let token: Int64
    /// Runs before this one that failed since the job was requested.
    package let tries: Int
    /// Runs right before this one during which the process died, possibly because of them.
    package let kills: Int
}
