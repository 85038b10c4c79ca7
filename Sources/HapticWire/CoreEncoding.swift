// SPDX-License-Identifier: MIT
public import HapticCore
public import HapticEngine

// How the core's values are written. They are read by `ParamsReader`, which says which member is wrong.

extension UnitValue: Encodable {
    public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension FeedbackClass: Encodable {}
extension Profile: Encodable {}
extension StepTrain.Curve: Encodable {}
extension GateConfiguration.Mode: Encodable {}
