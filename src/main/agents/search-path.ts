import { delimiter, join } from 'node:path'

/**
 * Returns folders that agent programs are usually installed in: a desktop app inherits a `PATH` without what the operator's shell
 * adds.
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
