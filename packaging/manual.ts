import type { CommandWords, OptionWords } from './command-words.ts'

/** Returns the manual page, section 1, of the command. */
export function manualPage(program: CommandWords, version: string, date: string): string {
  return [
    `.TH PULSEWARD 1 "${date}" "Pulseward ${version}" "User Commands"`,
    '.SH NAME',
    'pulseward \\- check the claims of unattended agents against reality',
    '.SH SYNOPSIS',
    '.B pulseward',
    '[\\fIoptions\\fR] \\fIcommand\\fR [\\fIarguments\\fR]',
    '.br',
    '.B pulseward\\-desktop',
    '[\\fB\\-\\-hidden\\fR] [\\fB\\-\\-data\\-dir=\\fIDIR\\fR] [\\fIpulseward://link\\fR]',
    '.SH DESCRIPTION',
    escaped(program.description),
    'The desktop app shows it in the tray; the command talks to the app if it is running, and works without it otherwise.',
    '.SH OPTIONS',
    ...program.options.flatMap(option),
    '.SH COMMANDS',
    ...program.commands.flatMap((command) => commandPart(command, '')),
    '.SH EXIT STATUS',
    '.TP\n0\nfine',
    '.TP\n1\nthe checked thing is bad: contract errors, nothing verified',
    '.TP\n2\nusage or configuration',
    '.TP\n3\nthe host or the agent is unavailable',
    '.TP\n70\na bug in Pulseward; the log has its cause',
    '.SH ENVIRONMENT',
    '.TP\n.B PULSEWARD_HOME\nthe data folder, if no other is given',
    '.TP\n.B NO_COLOR\nno colors',
    '.SH FILES',
    '.TP\n.I ~/.pulseward\nthe data folder',
    '.TP\n.I HEARTBEAT.md\nthe contract of a workspace',
    '.TP\n.I pulseward.toml\nits configuration, in effect once approved',
    '',
  ].join('\n')
}

function commandPart(command: CommandWords, above: string): readonly string[] {
  const name = above === '' ? command.name : `${above} ${command.name}`
  const usage = command.commands.length > 0 ? '' : command.usage.replace(/^\[options\]/, '')
  return [
    '.TP',
    `.B ${escaped(name)}${usage === '' ? '' : ` \\fI${escaped(usage)}\\fR`}`,
    escaped(command.description),
    ...(command.options.length === 0 ? [] : ['.RS', ...command.options.flatMap(option), '.RE']),
    ...command.commands.flatMap((sub) => commandPart(sub, name)),
  ]
}

function option({ flags, description }: OptionWords): readonly string[] {
  return ['.TP', `.B ${escaped(flags)}`, escaped(description)]
}

/** Escapes a line for the formatter, which would take a leading dot or quote for a request. */
function escaped(text: string): string {
  const safe = text.replaceAll('\\', '\\e').replaceAll('-', '\\-')
  return /^[.']/.test(safe) ? `\\&${safe}` : safe
}
