// An app that imports CoreMedia sees Foundation, and Dispatch with it.
@_exported import Foundation
