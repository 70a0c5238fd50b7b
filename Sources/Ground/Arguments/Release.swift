/// Which version of Waymark this is: of all its programs, and of the first of CHANGELOG.md.
package enum Release {
    package static let version = "0.3.0"
}
