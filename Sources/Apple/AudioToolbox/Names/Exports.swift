// A program that imports AudioToolbox also sees the audio types, as on Apple's platforms.
@_exported import CoreAudio
@_exported import CoreAudioTypes
@_exported import Foundation
