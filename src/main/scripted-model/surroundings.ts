import { join } from 'node:path'

/** Returns a user's environment without anything from this machine, and with no way out except `proxyUrl`. */
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
    USERPROFILE: home,
    APPDATA: join(home, '.config'),
    LOCALAPPDATA: join(home, '.local/share'),
    TMPDIR: join(home, 'tmp'),
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    CODEX_HOME: join(home, 'codex'),
    CLAUDE_CONFIG_DIR: join(home, '.claude'),
    COPILOT_HOME: join(home, '.copilot'),
    // Clears the value from a developer who works as root in a sandbox: with it, Claude's adapter asks for more than its program allows.
    IS_SANDBOX: '',
    // A terminal that no program warns about.
    TERM: 'xterm-256color',
  }
}
