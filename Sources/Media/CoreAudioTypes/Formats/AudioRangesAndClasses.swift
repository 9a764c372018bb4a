/// A range of numbers, both ends included.
public struct AudioValueRange: Hashable, Sendable, BitwiseCopyable {
    /// The minimum.
    public var mMinimum: Float64
    /// The maximum.
    public var mMaximum: Float64

    /// Creates a value with every field zero.
    public init() { self.init(mMinimum: 0, mMaximum: 0) }

    /// Creates a value from its fields.
    public init(mMinimum: Float64, mMaximum: Float64) {
        self.mMinimum = mMinimum
        self.mMaximum = mMaximum
    }
}

/// The description of a codec: encoder or decoder, encoding and manufacturer.
public struct AudioClassDescription: Hashable, Sendable, BitwiseCopyable {
    /// The kind of codec: encoder or decoder.
    public var mType: OSType
    /// The encoding.
    public var mSubType: OSType
    /// The manufacturer.
    public var mManufacturer: OSType

    /// Creates a value with every field zero.
    public init() { self.init(mType: 0, mSubType: 0, mManufacturer: 0) }

    /// Creates a value from its fields.
    public init(mType: OSType, mSubType: OSType, mManufacturer: OSType) {
        self.mType = mType
        self.mSubType = mSubType
        self.mManufacturer = mManufacturer
    }
}

/// A Boolean of C code, one byte.
public struct DarwinBoolean: ExpressibleByBooleanLiteral, Hashable, Sendable, BitwiseCopyable,
    CustomStringConvertible
{
    private var value: UInt8

    /// Creates the C form of a Swift Boolean.
    public init(_ value: Bool) { self.value = value ? 1 : 0 }

    /// Creates the C form of a literal.
    public init(booleanLiteral value: Bool) { self.init(value) }

    /// The value as a Swift Boolean.
    public var boolValue: Bool { value != 0 }

    /// `true` or `false`.
    public var description: String { boolValue.description }
}
