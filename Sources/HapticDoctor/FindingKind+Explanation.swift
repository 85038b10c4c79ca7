// SPDX-License-Identifier: MIT

extension FindingKind {
    var explanation: Explanation { socket ?? daemon ?? service ?? kernel ?? device ?? input ?? feeling }

    /// The way to the daemon.
    private var socket: Explanation? {
        switch self {
        case .socketVariable:
            .init(
                .socket, "`$HAPTICD_SOCKET` names a place where no daemon listens",
                "While the variable is set, hapticctl looks nowhere else. The daemon itself ignores it.",
                "Unset the variable, or start a daemon there.")
        case .socketIgnored:
            .init(
                .socket, "`$HAPTICD_SOCKET` is ignored, because this is root",
                "Doctor does not look there: a variable that another user has set must not lead root to a socket of that user.",
                "Name the socket with `--socket` if it is meant.")
        case .socketMissing:
            .init(
                .socket, "There is no socket",
                "systemd makes the socket with the unit `hapticd.socket`; a daemon that was started by hand makes its own.",
                "Start the unit, or a daemon without motors to try things with.")
        case .socketStale:
            .init(
                .socket, "The socket's file is there, but nothing listens on it",
                "A daemon or a unit that was killed has left its file behind.", "Start the unit again, which makes a new socket.")
        case .socketForeign:
            .init(
                .socket, "Something that is not a socket is in the socket's place",
                "Neither systemd nor the daemon removes what is not theirs.",
                "Look at it. In hapticd's own place move it away and start the unit again; else name another socket.")
        case .socketGroup:
            .init(
                .socket, "This user is not a member of the socket's group",
                "The members of that group may use the daemon, and nobody else.",
                "Become a member, then log out and in again: a group counts from the next login on.")
        case .socketLogin:
            .init(
                .socket, "This user is a member of the socket's group, but was not at the last login",
                "A process keeps the groups that it had when its session began.",
                "Log out and in again, or start a shell that has the group.")
        case .socketRights:
            .init(
                .socket, "The socket's owner and mode keep this user out",
                "The socket of the package belongs to root and the group `haptics`, with the mode 0660.",
                "Start the socket's unit again, which sets both, or correct `socket` in the configuration of a daemon without it."
            )
        default: nil
        }
    }

    /// The answers of the daemon.
    private var daemon: Explanation? {
        switch self {
        case .daemonSilent:
            .init(
                .daemon, "The daemon takes connections, but does not answer",
                "It ends while it starts, is stopped, or is stuck.", "Look at its log, then start it again.")
        case .daemonStrange:
            .init(
                .daemon, "What answers does not speak hapticd's protocol",
                "Another program listens at that socket, or hapticd is of another version than hapticctl.",
                "Find out what listens there (`ss -xlp` as root), then start the daemon again.")
        case .daemonRefused:
            .init(
                .daemon, "The daemon refuses what the doctor asks",
                "Its configuration keeps this to some users (`access`), or a limit is reached (`bounds`). What the daemon says of it is shown.",
                "Run the doctor as one of those users, or as root. Where a limit is reached, try again later.")
        case .daemonVersion:
            .init(
                .daemon, "The daemon and hapticctl have different versions",
                "After an upgrade the old daemon runs on until it is started again.", "Start the daemon again.")
        default: nil
        }
    }

    /// The unit and its configuration.
    private var service: Explanation? {
        switch self {
        case .serviceMissing:
            .init(
                .service, "The service's units are not installed",
                "Nothing starts the daemon without them.", "Install the package, or run a daemon by hand.")
        case .serviceFailed:
            .init(
                .service, "The service has failed",
                "After ten failed starts in a row systemd gives up, and the socket goes with the service.",
                "Correct what the log says, then reset the units and start them.")
        case .serviceStopped:
            .init(
                .service, "The socket's unit does not run", "Without it there is no socket, and no client starts the daemon.",
                "Start it.")
        case .serviceDisabled:
            .init(
                .service, "The units do not start with the system", "Feedback works only until the system is started again.",
                "Enable them.")
        case .serviceRestarts:
            .init(
                .service, "systemd has restarted the daemon", "A crash, or the watchdog, ended it. Outputs were off meanwhile.",
                "Read the log; a crash is worth a report (`hapticctl report`).")
        case .configurationInvalid:
            .init(
                .configuration, "The configuration has errors",
                "No daemon starts with them. One that runs keeps the configuration that it has.",
                "Correct each line that is shown, then check the file and have it read.")
        case .configurationUnreadable:
            .init(
                .configuration, "The configuration cannot be read by this user",
                "Its mode, or that of its folder, keeps this user out.",
                "Run the doctor as root to have it checked. What root cannot read, no daemon can.")
        case .configurationOther:
            .init(
                .configuration, "The daemon does not run with what is in the file",
                "The file was changed, made or moved away and not read again, or the daemon was started with another file.",
                "Have the daemon read it, or look at the file that it runs with.")
        default: nil
        }
    }

    /// The rights and limits that the kernel gives the daemon.
    private var kernel: Explanation? {
        switch self {
        case .realtimeRefused:
            .init(
                .timing, "The kernel refuses real time", "Feedback may come late under load. Everything else works.",
                "Give the service the limits that the packaged unit has.")
        case .memoryUnlocked:
            .init(
                .timing, "The daemon's memory is not locked", "Memory that was swapped out makes the next pulse late.",
                "Give the service the limit that the packaged unit has.")
        case .memoryShort:
            .init(
                .machine, "Memory is nearly used up",
                "The kernel ends a program when none is left, and swapping makes feedback late.",
                "End what uses it, or give the service more.")
        case .descriptorsShort:
            .init(
                .machine, "The daemon's open files are nearly at their limit",
                "Each client takes one; past the limit none can connect.",
                "Close clients, or raise the limit.")
        case .clockCoarse:
            .init(
                .machine, "The kernel's clock is coarse", "Pulses come as exactly as the clock ticks.",
                "Use a kernel with high-resolution timers (`CONFIG_HIGH_RES_TIMERS`), without `highres=off` on its command line.")
        default: nil
        }
    }

    /// What an actuator drives.
    private var device: Explanation? {
        switch self {
        case .deviceMissing:
            .init(
                .actuators, "A device is not there",
                "It is unplugged, or has another name or number than the configuration says.",
                "Connect it; the daemon uses it as soon as it is there. Or name what is there instead.")
        case .deviceHeld:
            .init(
                .actuators, "A device is held by another program", "One program at a time can have a line, a channel or a pad.",
                "End that program, or choose another device. [Who may hold it](#a-line-or-channel-is-busy) says what to do about each."
            )
        case .deviceRules:
            .init(
                .actuators, "A device is refused to the daemon, and no udev rule of hapticd is installed",
                "The rules let the daemon use its devices, and nobody else's.",
                "Install rules for the devices of the configuration.")
        case .deviceGroup:
            .init(
                .actuators, "A device's file in `/sys` belongs to another group",
                "Such a file has one group, and the udev rules do not take it from others.",
                "Give the daemon that group by a drop-in. Never do so with `input`: that group reads every keyboard.")
        case .deviceRefused:
            .init(
                .actuators, "A device is refused to the daemon", "The udev rules are there, but have not been applied to it.",
                "Apply them; the daemon tries again by itself. [More](#a-device-cannot-be-opened).")
        case .deviceFailed:
            .init(
                .actuators, "A device cannot be used", "What the daemon says of it is shown.",
                "Do what it says. [The messages and their remedies](#a-device-is-missing).")
        case .deviceSimulated:
            .init(
                .actuators, "An actuator is simulated", "It behaves like a motor, but nothing moves.",
                "Name a real device in the configuration, or start the daemon without `--simulate`.")
        case .motorAssumed:
            .init(
                .actuators, "The configuration does not describe an actuator's motor",
                "Patterns are fitted to the commonest motor of such devices. Yours may be faster, slower or harder to start.",
                "Measure it with `hapticctl tune`, or name its model under `motor` ([motors](motors.md))."
            )
        default: nil
        }
    }

    /// Keys, buttons and switches.
    private var input: Explanation? {
        switch self {
        case .inputMissing:
            .init(
                .inputs, "A key, button or switch is not there",
                "Nobody can press it: its hold counts as let go of, and its condition has ended.",
                "Plug it in; the daemon reads it as soon as it is there. Or name another one ([holds](holds.md)).")
        case .inputRefused:
            .init(
                .inputs, "A key, button or switch is refused to the daemon",
                "The rules of the package are for motors and lights; no key is readable for the daemon unless a rule names its device.",
                "Print the rules for the devices of the configuration, look at them, and install them. Never add hapticd to `input`: that group reads every keyboard."
            )
        case .inputFailed:
            .init(
                .inputs, "A key, button or switch cannot be read", "What the daemon says of it is shown.",
                "Do what it says. [What `input` may be](holds.md).")
        case .inputSimulated:
            .init(
                .inputs, "A key, button or switch is not read", "With `--simulate` hapticd opens no device.",
                "Start the daemon without `--simulate`.")
        default: nil
        }
    }

    private var feeling: Explanation {
        switch self {
        case .feedbackLate:
            .init(
                .feedback, "Some feedback came too late, and was left out", "The board was too busy, or it has no real time.",
                "[Find out where the time goes](#no-real-time-or-late-feedback).")
        case .settingsTrouble:
            .init(
                .feedback, "What people have set is not kept, or was not read",
                "Quiet hours, strengths and `off` count until the daemon ends, or those of an earlier time count. What the daemon says of it is shown.",
                "Do what it says, then set it again. [How settings are kept](configuration.md#what-people-set).")
        case .feedbackOff:
            .init(
                .feedback, "Feedback is switched off",
                "Somebody has switched it off, for good or for a time. Nothing is felt, alarms included.", "Switch it on.")
        case .feedbackQuiet:
            .init(
                .feedback, "These are quiet hours", "In quiet hours nothing is felt, but for what they except.",
                "Wait for their end, or set others: `hapticctl quiet none` for none.")
        case .feedbackSilenced:
            .init(
                .feedback, "The profile silences some feedback", "Somebody has chosen a profile other than `full`.",
                "Choose `full` to feel everything.")
        case .feedbackCondition:
            .init(
                .feedback, "A condition is in force",
                "A program or a switch asserts an outside fact that changes how much is felt.",
                "Stop the program, or change the switch. [The effect of conditions](configuration.md#conditions).")
        case .patternWeak:
            .init(
                .feedback, "A pattern of a rule is too weak for its motor",
                "By the motor's model it stays below a tenth of the motor's full acceleration, so nobody feels it.",
                "Use a longer or stronger pattern, or raise `intensity` in the rule. If a hand does feel it, describe the motor: `hapticctl tune` measures it."
            )
        case .pulseRefused:
            .init(
                .feedback, "The test pulse was not played", "The daemon has decided so; its reason is shown.",
                "Look up the reason: [Nothing is felt](#nothing-is-felt).")
        default:
            .init(
                .feedback, "The test pulse was played, and nobody felt it",
                "The daemon drives the output, so the fault is between the output and the motor.",
                "Test the motor step by step, as [the wiring page](../hw/wiring.md#trying-it) says.")
        }
    }
}
