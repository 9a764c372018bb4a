/// A range of numbers, both ends included.
public struct AudioValueRange: Hashable, Sendable, BitwiseCopyable {
    /// The least.
    public var mMinimum: Float64
    /// The greatest.
    public var mMaximum: Float64

    /// All zero.
    public init() { self.init(mMinimum: 0, mMaximum: 0) }

    /// Takes the fields as they are.
    public init(mMinimum: Float64, mMaximum: Float64) {
        self.mMinimum = mMinimum
        self.mMaximum = mMaximum
    }
}

/// Names a codec: encoder or decoder, of which encoding, by which maker.
public struct AudioClassDescription: Hashable, Sendable, BitwiseCopyable {
    /// The kind of codec.
    public var mType: OSType
    /// The encoding.
    public var mSubType: OSType
    /// The maker.
    public var mManufacturer: OSType

    /// All zero.
    public init() { self.init(mType: 0, mSubType: 0, mManufacturer: 0) }

    /// Takes the fields as they are.
    public init(mType: OSType, mSubType: OSType, mManufacturer: OSType) {
        self.mType = mType
        self.mSubType = mSubType
        self.mManufacturer = mManufacturer
    }
}

/// A truth value of C code, one byte.
public struct DarwinBoolean: ExpressibleByBooleanLiteral, Hashable, Sendable, BitwiseCopyable,
    CustomStringConvertible
{
    private var value: UInt8

    /// The C form of a Swift truth value.
    public init(_ value: Bool) { self.value = value ? 1 : 0 }

    /// A literal.
    public init(booleanLiteral value: Bool) { self.init(value) }

    /// The Swift form.
    public var boolValue: Bool { value != 0 }

    /// `true` or `false`.
    public var description: String { boolValue.description }
}
