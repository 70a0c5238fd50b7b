import Backups
import Glibc

/// Makes a backup every so often, until it is cancelled. When the last one was made is known from the data folder, so a
/// restart neither makes one too many nor forgets one.
struct BackupSchedule: Sendable {
    /// Of these each is proven, when nothing else is said.
    static let proofEvery = 7
    /// After a try that failed, the next one comes no later.
    private static let retry = Duration.seconds(600)

    let job: BackupJob
    let access: BackupAccess
    let every: Duration
    /// How long nothing is made at first: until services that were just started have their data.
    var rest = Duration.zero

    /// - Parameter notify: called with what each try came to.
    func run(_ notify: (Result<BackupJob.Turn, any Error>) -> Void) async {
        var pause = max(rest, await untilDue)
        while true {
            guard (try? await Task.sleep(for: pause)) != nil else { return }
            do {
                notify(.success(try await job.run(access) { _ in }))
                pause = every
            } catch is CancellationError {
                return
            } catch {
                notify(.failure(error))
                pause = min(every, Self.retry)
            }
        }
    }

    /// How long the last backup is good for. A clock that was set back does not put it off.
    private var untilDue: Duration {
        get async {
            guard let made = await job.lastMade(at: access.place) else { return .zero }
            let age = Duration.seconds(Int64(time(nil)) - made)
            return age < .zero ? .zero : max(.zero, every - age)
        }
    }
}
