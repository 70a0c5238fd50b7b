package import EventLoops
package import RPC

/// What a service gets to work with.
package struct Runtime: Sendable {
    package let options: Options
    package let loops: EventLoopGroup
    /// Threads for work that blocks.
    package let blocking: BlockingPool
    package let log: Log
    package let key: DeploymentKey
    /// Name of the service, as peers see it.
    package let name: String

    /// A client for another service.
    package func client(_ target: Endpoint) -> RPCClient {
        RPCClient(target, group: loops, resolver: blocking, agent: name)
    }

    /// The address in a flag's value.
    package func endpoint(_ flag: String) throws(OptionError) -> Endpoint {
        let text = try options.required(flag)
        guard let endpoint = Endpoint(text) else { throw OptionError("\(flag) is \(text), HOST:PORT is needed") }
        return endpoint
    }
}

/// What a service consists of once it has started.
package struct StartedService: Sendable {
    /// What it answers, besides echo and health.
    package let services: [any RPCService]
    /// Who checks its calls; nil for the ordinary check of signed identities.
    package let admission: (any ServerInterceptor)?
    /// Methods that are registered by hand.
    package let register: @Sendable (inout Router) -> Void
    /// Ends the streams that would go on for ever, before the other calls are waited for.
    package let leave: @Sendable () -> Void
    /// Lets go of what it holds, after the last call.
    package let stop: @Sendable () async -> Void

    package init(
        services: [any RPCService] = [], admission: (any ServerInterceptor)? = nil,
        register: @escaping @Sendable (inout Router) -> Void = { _ in },
        leave: @escaping @Sendable () -> Void = {},
        stop: @escaping @Sendable () async -> Void = {}
    ) {
        self.services = services
        self.admission = admission
        self.register = register
        self.leave = leave
        self.stop = stop
    }
}
