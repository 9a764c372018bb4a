import Foundation

// The numbers that ITU-T H.273 and files use for colours, and their strings. The number 2 means
// "unspecified".

/// The number of unspecified colours.
private let unspecified: Int32 = 2

private let primariesByCode: [Int32: ConstantString] = [
    1: Colors.itu709, 5: Colors.ebu3213, 6: Colors.smpteC, 9: Colors.itu2020, 11: Colors.dciP3,
    12: Colors.p3D65,
]

private let transferFunctionsByCode: [Int32: ConstantString] = [
    1: Colors.itu709, 7: Colors.smpte240M, 8: Colors.linear, 13: Colors.sRGB, 14: Colors.itu2020,
    16: Colors.pq, 17: Colors.smpte428, 18: Colors.hlg,
]

/// Further numbers of a transfer function: BT.601 has that of BT.709, and BT.2020 has one for each bit depth.
private let transferFunctionsByOtherCode: [Int32: ConstantString] = [6: Colors.itu709, 15: Colors.itu2020]

private let matricesByCode: [Int32: ConstantString] = [
    1: Colors.itu709, 6: Colors.itu601, 7: Colors.smpte240M, 9: Colors.itu2020,
]

/// Further numbers of a matrix. The number 5 stands for the matrix of BT.601 with 625 lines.
private let matricesByOtherCode: [Int32: ConstantString] = [5: Colors.itu601]

private func code(of string: CFString?, in table: [Int32: ConstantString]) -> Int32? {
    guard let string else { return nil }
    return table.first { $0.value.string.isEqual(string) }?.key
}

private func constant(_ string: ConstantString?) -> Unmanaged<CFString>? {
    string.map { Unmanaged.passUnretained($0.string) }
}

/// Returns the number of primaries; 2 for an unknown string.
@discardableResult
public func CVColorPrimariesGetIntegerCodePointForString(_ primariesString: CFString?) -> Int32 {
    code(of: primariesString, in: primariesByCode) ?? unspecified
}

/// Returns the string of the primaries with a number of ITU-T H.273; `nil` for a number without a string.
@discardableResult
public func CVColorPrimariesGetStringForIntegerCodePoint(
    _ primariesCodePoint: Int32
) -> Unmanaged<CFString>? {
    constant(primariesByCode[primariesCodePoint])
}

/// Returns the number of a transfer function; 2 for an unknown string.
@discardableResult
public func CVTransferFunctionGetIntegerCodePointForString(_ transferFunctionString: CFString?) -> Int32 {
    code(of: transferFunctionString, in: transferFunctionsByCode) ?? unspecified
}

/// Returns the string of the transfer function with a number of ITU-T H.273; `nil` for a number without a
/// string.
@discardableResult
public func CVTransferFunctionGetStringForIntegerCodePoint(
    _ transferFunctionCodePoint: Int32
) -> Unmanaged<CFString>? {
    constant(
        transferFunctionsByCode[transferFunctionCodePoint]
            ?? transferFunctionsByOtherCode[transferFunctionCodePoint])
}

/// Returns the number of a matrix; 2 for an unknown string.
@discardableResult
public func CVYCbCrMatrixGetIntegerCodePointForString(_ yCbCrMatrixString: CFString?) -> Int32 {
    code(of: yCbCrMatrixString, in: matricesByCode) ?? unspecified
}

/// Returns the string of the matrix with a number of ITU-T H.273; `nil` for a number without a string.
@discardableResult
public func CVYCbCrMatrixGetStringForIntegerCodePoint(_ yCbCrMatrixCodePoint: Int32) -> Unmanaged<CFString>? {
    constant(matricesByCode[yCbCrMatrixCodePoint] ?? matricesByOtherCode[yCbCrMatrixCodePoint])
}
