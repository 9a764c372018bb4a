// Pixel formats as four-character codes. "Video range" limits 8-bit numbers to 16…235 (luma) and 16…240
// (chroma); "full range" uses 0…255. A biplanar format has a luma plane and a plane of Cb and Cr in turn.

// MARK: RGB

/// 8 bits each of alpha, red, green and blue, in this order.
public let kCVPixelFormatType_32ARGB: OSType = 0x20
/// 8 bits each of blue, green, red and alpha, in this order.
public let kCVPixelFormatType_32BGRA = OSType(fourCharacters: "BGRA")
/// 8 bits each of alpha, blue, green and red, in this order.
public let kCVPixelFormatType_32ABGR = OSType(fourCharacters: "ABGR")
/// 8 bits each of red, green, blue and alpha, in this order.
public let kCVPixelFormatType_32RGBA = OSType(fourCharacters: "RGBA")
/// 8 bits each of red, green and blue, in this order.
public let kCVPixelFormatType_24RGB: OSType = 0x18
/// 8 bits each of blue, green and red, in this order.
public let kCVPixelFormatType_24BGR = OSType(fourCharacters: "24BG")
/// 16 bits each of alpha, red, green and blue, in this order, big-endian.
public let kCVPixelFormatType_64ARGB = OSType(fourCharacters: "b64a")
/// 16 bits each of red, green, blue and alpha, in this order, little-endian.
public let kCVPixelFormatType_64RGBALE = OSType(fourCharacters: "l64r")
/// 16-bit floating-point numbers of red, green, blue and alpha, in this order.
public let kCVPixelFormatType_64RGBAHalf = OSType(fourCharacters: "RGhA")
/// 32-bit floating-point numbers of red, green, blue and alpha, in this order.
public let kCVPixelFormatType_128RGBAFloat = OSType(fourCharacters: "RGfA")

// MARK: Single components

/// 8 bits of one component.
public let kCVPixelFormatType_OneComponent8 = OSType(fourCharacters: "L008")
/// 16 bits of one component, little-endian.
public let kCVPixelFormatType_OneComponent16 = OSType(fourCharacters: "L016")
/// A 16-bit floating-point number of one component.
public let kCVPixelFormatType_OneComponent16Half = OSType(fourCharacters: "L00h")
/// A 32-bit floating-point number of one component.
public let kCVPixelFormatType_OneComponent32Float = OSType(fourCharacters: "L00f")
/// 8 bits each of two components.
public let kCVPixelFormatType_TwoComponent8 = OSType(fourCharacters: "2C08")

// MARK: Y'CbCr with 8 bits

/// 4:2:0 in three planes, video range.
public let kCVPixelFormatType_420YpCbCr8Planar = OSType(fourCharacters: "y420")
/// 4:2:0 in three planes, full range.
public let kCVPixelFormatType_420YpCbCr8PlanarFullRange = OSType(fourCharacters: "f420")
/// 4:2:0 in two planes, video range.
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange = OSType(fourCharacters: "420v")
/// 4:2:0 in two planes, full range.
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange = OSType(fourCharacters: "420f")
/// 4:2:2 in two planes, video range.
public let kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange = OSType(fourCharacters: "422v")
/// 4:2:2 in two planes, full range.
public let kCVPixelFormatType_422YpCbCr8BiPlanarFullRange = OSType(fourCharacters: "422f")
/// 4:4:4 in two planes, video range.
public let kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange = OSType(fourCharacters: "444v")
/// 4:4:4 in two planes, full range.
public let kCVPixelFormatType_444YpCbCr8BiPlanarFullRange = OSType(fourCharacters: "444f")
/// 4:2:0 in two planes, video range, and a third plane of alpha.
public let kCVPixelFormatType_420YpCbCr8VideoRange_8A_TriPlanar = OSType(fourCharacters: "v0a8")
/// 4:2:2 in one plane, in the order Cb, Y, Cr, Y, video range.
public let kCVPixelFormatType_422YpCbCr8 = OSType(fourCharacters: "2vuy")
/// 4:2:2 in one plane, in the order Y, Cb, Y, Cr, video range.
public let kCVPixelFormatType_422YpCbCr8_yuvs = OSType(fourCharacters: "yuvs")
/// 4:2:2 in one plane, in the order Y, Cb, Y, Cr, full range.
public let kCVPixelFormatType_422YpCbCr8FullRange = OSType(fourCharacters: "yuvf")

// MARK: Y'CbCr with 10 bits, in the upper bits of 16-bit little-endian numbers

/// 4:2:0 in two planes, video range.
public let kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange = OSType(fourCharacters: "x420")
/// 4:2:0 in two planes, full range.
public let kCVPixelFormatType_420YpCbCr10BiPlanarFullRange = OSType(fourCharacters: "xf20")
/// 4:2:2 in two planes, video range.
public let kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange = OSType(fourCharacters: "x422")
/// 4:2:2 in two planes, full range.
public let kCVPixelFormatType_422YpCbCr10BiPlanarFullRange = OSType(fourCharacters: "xf22")
/// 4:4:4 in two planes, video range.
public let kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange = OSType(fourCharacters: "x444")
/// 4:4:4 in two planes, full range.
public let kCVPixelFormatType_444YpCbCr10BiPlanarFullRange = OSType(fourCharacters: "xf44")
