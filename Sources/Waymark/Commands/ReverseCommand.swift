import Arguments
import Contracts
import RPC
import Terminal

/// `waymark reverse`: where a point is.
struct ReverseCommand: Command {
    static let syntax = CommandSyntax(
        words: ["reverse"], summary: "the nearest town of a point, with its region and country",
        positionals: Positional.point, flags: Flag.client, examples: ["reverse -33.86 151.21"])

    private let options: ClientOptions
    private let request: ReverseGeocodeRequest

    init(_ arguments: ParsedArguments) throws(UsageError) {
        options = try ClientOptions(arguments)
        request = ReverseGeocodeRequest(position: try arguments.coordinate())
    }

    func run(_ session: Session) async throws -> ExitCode {
        let response = try await Link.with(options.target) { link in
            try await PlacesServiceClient(link.client).reverseGeocode(request, options.call)
        }
        try session.answer(response) { [Self.line($0)] }
        return .success
    }

    /// "Helsinki, Uusimaa, Finland (FI); 1.2 km away"
    static func line(_ response: ReverseGeocodeResponse) -> String {
        guard let town = response.town else { return "No town is known." }
        let names = [town.name, response.region, response.country].filter { !$0.isEmpty }.joined(separator: ", ")
        let code = response.countryCode.isEmpty ? "" : " (\(response.countryCode))"
        let distance = town.distanceM.map { "; \(Quantity.distance($0)) away" } ?? ""
        return "\(names)\(code)\(distance)".printable
    }
}
