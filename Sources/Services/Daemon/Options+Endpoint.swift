package import Arguments
package import EventLoops

extension Options {
    /// A host and a port.
    package func endpoint(_ flag: String) throws(OptionError) -> Endpoint {
        let text = try required(flag)
        guard let endpoint = Endpoint(text) else { throw OptionError("\(flag) is \(text), HOST:PORT is needed") }
        return endpoint
    }
}
