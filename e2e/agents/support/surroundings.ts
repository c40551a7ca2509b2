import { mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { RealAgent } from './programs.ts'

/** A person's surroundings with nothing of this machine's own in them, and no way out but to `proxyUrl`. */
export function surroundings(home: string, proxyUrl: string): Record<string, string> {
  const proxies = ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [
    [name, proxyUrl],
    [name.toUpperCase(), proxyUrl],
  ])
  return {
    ...Object.fromEntries(proxies),
    no_proxy: '127.0.0.1,localhost',
    NO_PROXY: '127.0.0.1,localhost',
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    CODEX_HOME: join(home, 'codex'),
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    // Clears the value of a developer who runs the tests as root in a sandbox: Claude's adapter then asks for more than its
    // program allows.
    IS_SANDBOX: '',
    // A terminal's, so that no program warns of a poor one.
    TERM: 'xterm-256color',
  }
}

/** PATH with the agent's programs, under their own names in a new folder `bin` of `folder`, before everything else. */
export function pathOf(folder: string, { programs }: Pick<RealAgent, 'programs'>): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  for (const [name, file] of Object.entries(programs)) symlinkSync(file, join(bin, name))
  return [bin, process.env.PATH].join(delimiter)
}
