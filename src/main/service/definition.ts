import { join } from 'node:path'

/** What a service runs, for whom, and where it is defined. */
export interface ServiceRequest {
  /** Absolute program and arguments. */
  readonly command: readonly string[]
  /** From the shell that installs it, so that the operator's agents are found. */
  readonly searchPath: string
  readonly home: string
  /** Where the user's own configuration is (`XDG_CONFIG_HOME`); null: in the home folder. */
  readonly configHome: string | null
  readonly userId: number
}

/** The commands that control the system's service manager. */
export interface ServiceDefinition {
  readonly manager: string
  readonly file: string
  readonly text: string
  /** Run before `install` if a service is defined, because the manager would go on with its old definition; failures are ignored. */
  readonly replace?: readonly (readonly string[])[]
  /** Run in order; the first failure stops it. */
  readonly install: readonly (readonly string[])[]
  /** All are run, because what is already gone is not a failure. */
  readonly remove: readonly (readonly string[])[]
  /** Succeeds if the service is running. */
  readonly isRunning: readonly string[]
  /** The command that shows the operator its output. */
  readonly logs: string
}

const LABEL = 'dev.pulseward.serve'
const UNIT = 'pulseward.service'

/** Returns the definition for a platform; `null` if its user services are not supported. */
export function serviceDefinition(
  platform: NodeJS.Platform,
  request: ServiceRequest,
): ServiceDefinition | null {
  if (platform === 'linux') return systemd(request)
  if (platform === 'darwin') return launchd(request)
  return platform === 'win32' ? taskScheduler(request) : null
}

function systemd({ command, searchPath, home, configHome }: ServiceRequest): ServiceDefinition {
  const text = [
    '[Unit]',
    'Description=Pulseward, the supervisor of AI agents',
    '',
    '[Service]',
    `ExecStart=${command.map((part) => unitQuoted(part).replaceAll('$', '$$$$')).join(' ')}`,
    `Environment=${unitQuoted(`PATH=${searchPath}`)}`,
    // Running attempts are stopped and recorded; what does not end in time is killed with the unit.
    'TimeoutStopSec=30',
    'Restart=on-failure',
    'RestartSec=10',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n')
  const systemctl = ['systemctl', '--user']
  return {
    manager: 'systemd',
    file: join(configHome ?? join(home, '.config'), 'systemd/user', UNIT),
    text,
    install: [
      [...systemctl, 'daemon-reload'],
      [...systemctl, 'enable', UNIT],
      [...systemctl, 'restart', UNIT],
    ],
    remove: [
      [...systemctl, 'disable', '--now', UNIT],
      [...systemctl, 'daemon-reload'],
    ],
    isRunning: [...systemctl, 'is-active', '--quiet', UNIT],
    logs: `journalctl --user --unit ${UNIT} --follow`,
  }
}

/** Puts text in double quotes and escapes percent signs, which begin a systemd specifier. */
function unitQuoted(text: string): string {
  const escaped = text.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('\n', '\\n')
  return `"${escaped}"`
}

function launchd({ command, searchPath, home, userId }: ServiceRequest): ServiceDefinition {
  const file = join(home, 'Library/LaunchAgents', `${LABEL}.plist`)
  const log = join(home, 'Library/Logs/pulseward.log')
  const string = (text: string): string => `<string>${markupEscaped(text)}</string>`
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
  <key>Label</key>${string(LABEL)}
  <key>ProgramArguments</key><array>${command.map(string).join('')}</array>
  <key>EnvironmentVariables</key><dict><key>PATH</key>${string(searchPath)}</dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ExitTimeOut</key><integer>30</integer>
  <key>StandardErrorPath</key>${string(log)}
</dict></plist>
`
  const domain = `gui/${userId}`
  const service = `${domain}/${LABEL}`
  return {
    manager: 'launchd',
    file,
    text,
    // A label that is loaded cannot be loaded again.
    replace: [['launchctl', 'bootout', service]],
    install: [['launchctl', 'bootstrap', domain, file]],
    remove: [['launchctl', 'bootout', service]],
    // `print` alone also succeeds for a service that has ended.
    isRunning: ['/bin/sh', '-c', 'launchctl print "$0" | grep -q "state = running"', service],
    logs: `tail -f ${log}`,
  }
}

function taskScheduler({ command: [program = '', ...args], home }: ServiceRequest): ServiceDefinition {
  const file = join(home, 'AppData/Local/Pulseward/service.xml')
  const text = `<?xml version="1.0"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers><LogonTrigger><Enabled>true</Enabled></LogonTrigger></Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>3</Count></RestartOnFailure>
  </Settings>
  <Actions><Exec>
    <Command>${markupEscaped(program)}</Command>
    <Arguments>${markupEscaped(args.map(windowsQuoted).join(' '))}</Arguments>
  </Exec></Actions>
</Task>
`
  return {
    manager: 'the Task Scheduler',
    file,
    text,
    // `/Run` starts nothing while the old one runs.
    replace: [['schtasks', '/End', '/TN', 'Pulseward']],
    install: [
      ['schtasks', '/Create', '/F', '/TN', 'Pulseward', '/XML', file],
      ['schtasks', '/Run', '/TN', 'Pulseward'],
    ],
    remove: [
      ['schtasks', '/End', '/TN', 'Pulseward'],
      ['schtasks', '/Delete', '/F', '/TN', 'Pulseward'],
    ],
    // The words of `schtasks /Query` are in the system's language.
    isRunning: [
      'powershell',
      '-NoProfile',
      '-Command',
      "if ((Get-ScheduledTask -TaskName Pulseward).State -ne 'Running') { exit 1 }",
    ],
    logs: 'pulseward.log in the data folder',
  }
}

/** Quotes for the C runtime of Windows: backslashes are special only before a double quote. */
function windowsQuoted(text: string): string {
  return `"${text.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
}

function markupEscaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign)
}
