/// What is wanted of a load.
package struct LoadOptions: Sendable {
    package let plan: LoadPlan
    package let connections: Int
    package let seed: UInt64
    package let showsUncorrected: Bool
    /// What is called over HTTP in place of the RPC: "http://127.0.0.1:7780". Nil for none.
    package let http: String?
    /// Where the page goes; nil for nowhere.
    package let page: String?
    /// What a search for the knee may take; nil when none is wanted.
    package let kneeTime: Duration?

    package init(
        plan: LoadPlan, connections: Int, seed: UInt64, showsUncorrected: Bool, http: String?, page: String?,
        kneeTime: Duration?
    ) {
        self.plan = plan
        self.connections = connections
        self.seed = seed
        self.showsUncorrected = showsUncorrected
        self.http = http
        self.page = page
        self.kneeTime = kneeTime
    }
}
