// An app that imports the audio types sees Foundation, and Dispatch with it.
@_exported import Foundation
