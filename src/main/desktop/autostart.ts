import { existsSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const NAME = 'pulseward.desktop'

/** Returns the file in which Linux desktops look for what to start at login (XDG autostart specification). */
export function autostartPath(environment: NodeJS.ProcessEnv, home: string): string {
  const configured = environment.XDG_CONFIG_HOME
  // The specification says to ignore a relative path.
  const config = configured?.startsWith('/') === true ? configured : join(home, '.config')
  return join(config, 'autostart', NAME)
}

/** Returns whether the entry exists and is not switched off in the desktop's own settings. */
export function startsAtLogin(path: string): boolean {
  if (!existsSync(path)) return false
  const text = readFileSync(path, 'utf8')
  return !/^[ \t]*(Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/imu.test(text)
}

/** Writes the entry that starts `command` at login, or removes it. Rejects if the folder cannot be written. */
export async function setAutostart(
  path: string,
  command: readonly string[],
  enabled: boolean,
): Promise<void> {
  if (!enabled) return rm(path, { force: true })
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await writeFile(path, desktopEntry(command), { mode: 0o644 })
}

function desktopEntry(command: readonly string[]): string {
  return [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Pulseward',
    'Comment=Checks the claims of unattended agents against reality',
    `Exec=${command.map(quoted).join(' ')}`,
    'Terminal=false',
    'X-GNOME-Autostart-enabled=true',
    '',
  ].join('\n')
}

/**
 * Quotes an argument of `Exec`: in double quotes, with `"`, backquote, `$` and `\` escaped. The escaping backslash is escaped again, as in
 * every string of the file, and `%` is doubled because it begins a field code.
 */
function quoted(argument: string): string {
  const escaped = argument
    .replaceAll(/["`$\\]/gu, '\\$&')
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
  return `"${escaped}"`
}
