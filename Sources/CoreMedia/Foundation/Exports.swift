// An app that imports CoreMedia also sees the audio types and Foundation, which includes Dispatch.
@_exported import CoreAudioTypes
@_exported import Foundation
