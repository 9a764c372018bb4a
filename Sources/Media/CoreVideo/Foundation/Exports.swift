// An app that imports CoreVideo also sees the geometry types, the Core Foundation names and Foundation.
@_exported import CoreAudioTypes
@_exported import TuttiGraphics
@_exported import Foundation
