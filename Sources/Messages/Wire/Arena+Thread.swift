internal import Glibc

extension Arena {
    /// The calling thread's arena, made on first use and freed when the thread ends.
    package static var ofThread: Arena {
        if let known = unsafe pthread_getspecific(threadKey) {
            return unsafe Arena(state: known.assumingMemoryBound(to: ArenaState.self))
        }
        let state = unsafe ArenaState.make()
        unsafe pthread_setspecific(threadKey, state)
        return unsafe Arena(state: state)
    }
}

private let threadKey: pthread_key_t = {
    var key = pthread_key_t()
    let result = unsafe pthread_key_create(&key) { state in
        if let state = unsafe state { unsafe ArenaState.destroy(state.assumingMemoryBound(to: ArenaState.self)) }
    }
    precondition(result == 0, "no pthread key left")
    return key
}()
