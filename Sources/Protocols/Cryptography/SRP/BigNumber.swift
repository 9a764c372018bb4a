import CTuttiOpenSSL

/// A non-negative integer of any size, wiped on release.
///
/// Operations fail only without memory, which ends the program as elsewhere in Swift.
struct BigNumber: ~Copyable {
    private let pointer: OpaquePointer

    private init() {
        guard let pointer = BN_new() else { preconditionFailure("BN_new: no memory") }
        self.pointer = pointer
    }

    /// Reads big-endian bytes; leading zeros are allowed.
    init(_ bytes: [UInt8]) {
        self.init()
        precondition(bytes.count <= Int32.max, "BN_bin2bn: impossible length")
        precondition(BN_bin2bn(bytes, Int32(bytes.count), pointer) != nil, "BN_bin2bn: no memory")
    }

    deinit { BN_clear_free(pointer) }

    /// The big-endian bytes without leading zeros; empty for zero.
    var bytes: [UInt8] {
        let count = (Int(BN_num_bits(pointer)) + 7) / 8
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            guard count > 0 else { return }
            initialized = Int(BN_bn2bin(pointer, buffer.baseAddress))
        }
    }

    /// Adds the number to the parameters of a key; returns `false` without memory.
    ///
    /// - Parameter name: Must live as long as `builder`.
    func push(to builder: OpaquePointer, named name: UnsafePointer<CChar>?) -> Bool {
        OSSL_PARAM_BLD_push_BN(builder, name, pointer) == 1
    }

    var isZero: Bool { BN_is_zero(pointer) == 1 }

    /// Returns the sum, not reduced.
    func adding(_ other: borrowing BigNumber) -> BigNumber {
        let sum = BigNumber()
        precondition(BN_add(sum.pointer, pointer, other.pointer) == 1, "BN_add: no memory")
        return sum
    }

    /// Returns the product, not reduced.
    func multiplied(by other: borrowing BigNumber) -> BigNumber {
        Self.compute { BN_mul($0, pointer, other.pointer, $1) }
    }

    func modulo(_ modulus: borrowing BigNumber) -> BigNumber {
        Self.compute { BN_nnmod($0, pointer, modulus.pointer, $1) }
    }

    func adding(_ other: borrowing BigNumber, modulo modulus: borrowing BigNumber) -> BigNumber {
        Self.compute { BN_mod_add($0, pointer, other.pointer, modulus.pointer, $1) }
    }

    func subtracting(_ other: borrowing BigNumber, modulo modulus: borrowing BigNumber) -> BigNumber {
        Self.compute { BN_mod_sub($0, pointer, other.pointer, modulus.pointer, $1) }
    }

    func multiplied(by other: borrowing BigNumber, modulo modulus: borrowing BigNumber) -> BigNumber {
        Self.compute { BN_mod_mul($0, pointer, other.pointer, modulus.pointer, $1) }
    }

    /// Returns the power, in a time that does not depend on the exponent's value. The modulus must be odd.
    func power(_ exponent: borrowing BigNumber, modulo modulus: borrowing BigNumber) -> BigNumber {
        Self.compute {
            BN_mod_exp_mont_consttime($0, pointer, exponent.pointer, modulus.pointer, $1, nil)
        }
    }

    /// Runs one operation with a result and a scratch context.
    private static func compute(_ operation: (OpaquePointer, OpaquePointer) -> Int32) -> BigNumber {
        guard let scratch = BN_CTX_new() else { preconditionFailure("BN_CTX_new: no memory") }
        defer { BN_CTX_free(scratch) }
        let result = BigNumber()
        precondition(operation(result.pointer, scratch) == 1, "big number operation: no memory")
        return result
    }
}
