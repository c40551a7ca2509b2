import { delimiter, join } from 'node:path'

/**
 * Returns the folders where agent programs are usually installed. A desktop app needs them because it inherits a `PATH` without the
 * operator's shell additions.
 */
export function installFolders(
  home: string,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  if (process.platform === 'win32') {
    const { APPDATA, LOCALAPPDATA } = environment
    return [
      ...(APPDATA === undefined ? [] : [join(APPDATA, 'npm')]),
      ...(LOCALAPPDATA === undefined ? [] : [join(LOCALAPPDATA, 'Programs')]),
      join(home, '.local', 'bin'),
      join(home, '.bun', 'bin'),
    ]
  }
  const ofHome = [
    '.local/bin',
    'bin',
    '.npm-global/bin',
    '.claude/local',
    '.opencode/bin',
    '.bun/bin',
    '.volta/bin',
    '.cargo/bin',
    '.deno/bin',
  ]
  return [...ofHome.map((folder) => join(home, folder)), '/usr/local/bin', '/opt/homebrew/bin']
}

/** Returns `PATH` with the usual folders appended. */
export function searchPath(home: string, environment: Readonly<Record<string, string | undefined>>): string {
  const folders = (environment.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return [...new Set([...folders, ...installFolders(home, environment)])].join(delimiter)
}
