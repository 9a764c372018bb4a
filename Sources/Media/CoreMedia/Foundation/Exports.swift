// An app that imports CoreMedia also sees the audio types, the image buffers and Foundation, which includes
// Dispatch.
@_exported import CoreAudioTypes
@_exported import CoreVideo
@_exported import Foundation
