import AccountContracts
import PhotoContracts
import Daemon
import RPC
import Storage
import Stores

/// Answers calls about the settings of the caller's account.
struct SettingsHandler: SettingsServiceHandler {
    let store: PinStore
    let clock: WallClock
    let configured: ConfiguredNetworks

    func getSettings(_ request: GetSettingsRequest, _ context: CallContext) async throws -> GetSettingsResponse {
        let account = try context.account
        let settings = try await store.read(deadline: context.storageDeadline) { [store] transaction throws(SQLError) in
            try store.settings(of: account, transaction)
        }
        return GetSettingsResponse(settings: AccountContracts.Settings(settings))
    }

    func updateSettings(
        _ request: UpdateSettingsRequest, _ context: CallContext
    ) async throws -> UpdateSettingsResponse {
        let (account, update) = (try context.account, try SettingsUpdate(request))
        if context.identity?.credential.networks != nil, !update.enabled.isEmpty || !update.disabled.isEmpty {
            throw RPCError(.permissionDenied, "a key that is limited to networks can't choose them for the account")
        }
        let now = clock.unixMilliseconds
        let names = try await needsNames(update, account, context) ? configured.names(for: account) : []
        return try await store.make(Change("", request, context, clock: clock), deadline: context.storageDeadline) {
            [store] transaction throws(SQLError) in
            let before = try store.settings(of: account, transaction)
            let settings: AccountSettings
            do throws(SettingsError) {
                settings = try update.applied(to: before, configured: names)
            } catch {
                return .failure(.settings(error))
            }
            let stored = try transaction.putSettings(settings, of: account, before: before, at: now)
            return .success(UpdateSettingsResponse(settings: AccountContracts.Settings(stored)))
        }
    }

    /// Nothing is needed for disabling one of those that were named: that works also while a service is away. But the
    /// folder of pictures may not be there, and is not the last one then.
    private func needsNames(
        _ update: SettingsUpdate, _ account: String, _ context: CallContext
    ) async throws -> Bool {
        if !update.enabled.isEmpty { return true }
        if update.disabled.isEmpty { return false }
        return try await store.read(deadline: context.storageDeadline) { [store] transaction throws(SQLError) in
            switch try store.settings(of: account, transaction).networks {
            case .unchosen: false
            case .all: true
            case .some(let names): names.subtracting(update.disabled) == [NetworkChoice.folder]
            }
        }
    }
}
