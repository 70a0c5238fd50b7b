package import BaseContracts
package import Daemon
internal import Wire

/// How far a service's log has come on its way to another place: what metrics, warnings and people are shown is from
/// here.
package struct ShippingReport: Sendable {
    /// For people.
    package let place: String
    /// Whether a change is stored there before it is acknowledged.
    package let isBefore: Bool
    /// How old the last moment is that is stored, in milliseconds; 0 while nothing waits to be.
    package let behind: Int64
    package let waitingPages: Int
    package let waitingPictures: Int
    /// Whether nothing is missing there but pages that changed just now. False until that is known.
    package let isWhole: Bool
    /// Why storing fails; nil while it does not.
    package let trouble: String?
    let objects: Int
    let bytes: Int
    let failures: Int

    /// Milliseconds.
    private static let late: Int64 = 10_000

    /// What those who run the service have to know of it; nil while all is well.
    package var warning: String? {
        guard let trouble else {
            return behind < Self.late ? nil : "what is written is stored elsewhere \(behind / 1_000) s late"
        }
        return "what is written is not stored elsewhere, and \(behind / 1_000) s behind: \(trouble)"
    }

    /// The metrics of what is stored.
    package var families: [MetricFamily] {
        func counter(_ name: String, _ help: String, _ count: Int) -> MetricFamily {
            MetricFamily("waymark_replication_\(name)_total", .counter, help, .count(UInt64(clamping: count)))
        }
        return [
            MetricFamily(
                "waymark_replication_behind_seconds", .gauge,
                "How old the last moment is that is stored elsewhere; 0 while nothing waits to be.",
                .number(Double(behind) / 1_000)),
            MetricFamily(
                "waymark_replication_waiting_pages", .gauge, "Pages that changed and are not stored elsewhere.",
                .count(UInt64(clamping: waitingPages))),
            MetricFamily(
                "waymark_replication_waiting_pictures", .gauge, "Pictures that were put and are not stored elsewhere.",
                .count(UInt64(clamping: waitingPictures))),
            counter("objects", "Objects of the log that were stored elsewhere.", objects),
            counter("bytes", "Bytes of the log that were stored elsewhere.", bytes),
            counter("failures", "Tries to store the log elsewhere that failed.", failures),
        ]
    }

    /// For other services.
    package var message: ReplicationState {
        ReplicationState(
            place: place, before: isBefore, behind: DurationMessage(.milliseconds(behind)),
            waitingPages: UInt64(clamping: waitingPages), waitingPictures: UInt64(clamping: waitingPictures),
            trouble: trouble ?? "", isWhole: isWhole)
    }
}
