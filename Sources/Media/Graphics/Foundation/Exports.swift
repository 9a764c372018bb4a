// The module has a name of its own: `canImport(CoreGraphics)` in other packages means all of Apple's module. It also brings Foundation,
// which defines points, sizes and rectangles here.
@_exported import Foundation
