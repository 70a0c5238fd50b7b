/// The closed set of values that every engine can store and give back unchanged.
package enum SQLValue: Equatable, Sendable {
    /// The absence of a value.
    case null
    /// A BIGINT.
    case integer(Int64)
    /// A DOUBLE PRECISION; NaN is refused, because SQLite would turn it into NULL.
    case double(Double)
    /// A TEXT.
    case text(String)
    /// A BYTEA.
    case blob([UInt8])
    /// A BOOLEAN.
    case bool(Bool)
}

/// A value for a `?1` in a statement. An ID type of the domain may conform by giving its value.
package protocol SQLParameter {
    /// The value to store or compare with.
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLParameter {
    /// Itself.
    package var sqlValue: SQLValue { self }
}

extension Int64: SQLParameter {
    /// A BIGINT.
    package var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLParameter {
    /// A BIGINT.
    package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Double: SQLParameter {
    /// A DOUBLE PRECISION.
    package var sqlValue: SQLValue { .double(self) }
}

extension String: SQLParameter {
    /// A TEXT.
    package var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLParameter {
    /// A BYTEA.
    package var sqlValue: SQLValue { .blob(self) }
}

extension Bool: SQLParameter {
    /// A BOOLEAN.
    package var sqlValue: SQLValue { .bool(self) }
}
