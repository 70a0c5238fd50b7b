import CLinux
import Glibc

/// Makes a pipe whose ends no other program inherits, not even one that is started at this moment: it would hold the
/// writing end open, and the reader would wait for an end that doesn't come.
package func makePipe() throws(SystemError) -> (readEnd: Int32, writeEnd: Int32) {
    var ends: [Int32] = [-1, -1]
    try syscall("pipe2") { unsafe pipe2(&ends, O_CLOEXEC) }
    return (ends[0], ends[1])
}
