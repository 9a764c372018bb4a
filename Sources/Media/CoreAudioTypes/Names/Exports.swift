// An app that imports the audio types also sees Foundation, which includes Dispatch.
@_exported import Foundation
