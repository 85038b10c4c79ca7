// SPDX-License-Identifier: MIT

extension LEDLight {
    /// The files that `open` and `show` write.
    func sighting() -> DeviceSighting {
        let (folder, name) = (folder, name)
        guard Sysfs.names(in: ledsFolder).contains(led) else {
            return DeviceSighting(fault: DriverFault(.absent, device: name))
        }
        let files = ["brightness", "trigger", "multi_intensity"].map { "\(folder)/\($0)" }.filter(Sysfs.exists)
        return DeviceSighting(files: files, fault: Sysfs.fault(ofWriting: files))
    }
}

extension PWMChannel {
    /// The chip's files until the channel is exported, then the channel's.
    func sighting() -> DeviceSighting {
        do throws(DriverFault) {
            let found = try foundChip()
            let own = found.channelFolder(channel)
            let files =
                Sysfs.exists(own)
                ? ["period", "duty_cycle", "enable"].map { "\(own)/\($0)" }
                : ["export", "unexport"].map { "\(found.folder)/\($0)" }
            return DeviceSighting(files: files, fault: Sysfs.fault(ofWriting: files))
        } catch {
            return DeviceSighting(fault: error)
        }
    }
}
