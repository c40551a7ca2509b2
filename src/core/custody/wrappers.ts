import { NO_SCRIPT, type ScriptArgument } from './script-argument.ts'

/* Programs that run the command after their own words. */

interface Wrapper {
  /** Options that take the next word. */
  readonly value?: RegExp
  /** The wrapper's own words before the command, not counting options: their number, or a pattern that matches them. */
  readonly own?: number | RegExp
}

const OF_PYTHON =
  /^(?:-[pC]|--with|--with-requirements|--with-editable|--project|--python|--directory|--env-file|--extra|--group|--package|--index)$/
const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ['env', { value: /^-[uC]$/ }],
  ['cross-env', {}],
  ['dotenv', { value: /^-[evcp]$/ }],
  ['nice', { value: /^-n$/ }],
  ['ionice', { value: /^-[cnp]$/ }],
  ['nohup', {}],
  ['setsid', {}],
  ['chronic', {}],
  ['busybox', {}],
  ['time', { value: /^-[of]$/ }],
  ['timeout', { value: /^(?:-[sk]|--kill-after|--signal)$/, own: 1 }],
  ['taskset', { own: 1 }],
  ['flock', { value: /^(?:-[wE]|--timeout|--conflict-exit-code)$/, own: 1 }],
  ['stdbuf', { value: /^-[ioe]$/ }],
  ['xargs', { value: /^-[nPILsEda]$/ }],
  ['xvfb-run', { value: /^-[nsefwp]$/ }],
  ['sudo', { value: /^-[ughpCTDRrt]$/ }],
  ['doas', { value: /^-[uC]$/ }],
  ['direnv', { own: 2 }],
  ['nix', { own: /^(?:-c|--command)$/ }],
  ...['conda', 'mamba', 'micromamba'].map(
    (name) => [name, { value: /^(?:-[np]|--name|--prefix|--cwd)$/, own: /^run$/ }] as const,
  ),
  ...['uv', 'poetry', 'pipenv', 'hatch', 'rye', 'pdm', 'bundle'].map(
    (name) => [name, { value: OF_PYTHON, own: /^(?:run|exec)$/ }] as const,
  ),
])

/** Names of programs that, as a word, almost always start a command. */
const LAUNCHERS =
  /^(?:(?:ba|da|z|k)?sh|python[\d.]*|node|npm|npx|pnpm|yarn|bunx?|deno|make|just|ruby|bundle|rake|php|composer|perl|go|cargo|\.{1,2}\/\S+)$/

/** Returns the command that a wrapper runs; `null` if `name` is not a known wrapper and its words contain no command. */
export function wrappedCommand(name: string, words: readonly string[]): ScriptArgument | null {
  const wrapper = WRAPPERS.get(name)
  if (wrapper === undefined) return launched(words)
  const { value, own = 0 } = wrapper
  const at = typeof own === 'number' ? -1 : words.findIndex((word) => own.test(word))
  if (typeof own !== 'number' && at < 0) return NO_SCRIPT
  const command = commandAfter(words.slice(at + 1), value, typeof own === 'number' ? own : 0)
  const folder = words.findIndex((word) => /^(?:--directory|--cwd|-C)(?:=|$)/.test(word))
  const place = words[folder]?.split('=')[1] ?? words[folder + 1] ?? ''
  return command.kind === 'command' && folder >= 0 ? { ...command, folder: place } : command
}

/** `docker compose exec app npm test`, `op run -- sh check.sh`. An option's value (`-s sh`) is not a command. */
function launched(words: readonly string[]): ScriptArgument | null {
  const at = words.findIndex((word, index) => {
    const before = words[index - 1] ?? '--'
    return LAUNCHERS.test(word) && (before === '--' || !before.startsWith('-'))
  })
  return at < 0 || at === words.length - 1 ? null : { kind: 'command', words: words.slice(at), folder: '' }
}

/** Returns the command after a program's own options, assignments and `own` further words. */
export function commandAfter(words: readonly string[], value?: RegExp, own = 0): ScriptArgument {
  let at = 0
  let left = own
  for (; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (word === '--') {
      at += 1
      break
    }
    if (/^[A-Za-z_]\w*=/.test(word)) continue
    if (word.startsWith('-')) {
      if (value?.test(word)) at += 1
      continue
    }
    if (left === 0) break
    left -= 1
  }
  const rest = words.slice(at)
  const [first = ''] = rest
  if (rest.length === 0) return NO_SCRIPT
  // `uv run check.py`: no program has such a name.
  if (/^[^/]+\.py$/.test(first)) return { kind: 'file', path: first, isShell: false }
  return { kind: 'command', words: rest, folder: '' }
}
