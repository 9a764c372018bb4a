// An app that imports CoreMedia sees the audio types and Foundation, and Dispatch with it.
@_exported import CoreAudioTypes
@_exported import Foundation
