import CLinux

/// What the process does with memory that is not needed any more.
package enum FreedMemory {
    /// Keeps some megabytes of it for what comes next, instead of giving it back to the system at once.
    package static func keep() { waymark_keep_freed_memory() }
}
