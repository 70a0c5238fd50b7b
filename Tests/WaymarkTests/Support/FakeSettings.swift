import Fakes
import Contracts
import RPC
import Synchronization
import TestSupport

/// The settings of one account in memory.
final class FakeSettings: SettingsServiceFake, Sendable {
    private let settings = Mutex(Settings(needsNetworks: true, units: .local, startView: .last))

    func getSettings(_ request: GetSettingsRequest, _ context: CallContext) async throws -> GetSettingsResponse {
        GetSettingsResponse(settings: settings.withLock { $0 })
    }

    func updateSettings(
        _ request: UpdateSettingsRequest, _ context: CallContext
    ) async throws -> UpdateSettingsResponse {
        let changed = settings.withLock { settings in
            settings.networks = Set(settings.networks).union(request.enableNetworks)
                .subtracting(request.disableNetworks).sorted()
            settings.needsNetworks = settings.networks.isEmpty
            if request.units != .unspecified { settings.units = request.units }
            if request.startView != .unspecified { settings.startView = request.startView }
            settings.language = request.language ?? settings.language
            return settings
        }
        return UpdateSettingsResponse(settings: changed)
    }
}
