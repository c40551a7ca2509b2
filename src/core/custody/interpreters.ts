import { NO_SCRIPT, type ScriptArgument } from './script-argument.ts'

/*
 * Finds the script among an interpreter's arguments. Options that take the next word must be known: otherwise the option's
 * value would pass as the script, and the script as one of its arguments.
 */

const SHELLS = /^(?:ba|da|z|k|a|mk)?sh$/
const PYTHON = /^(?:python|pypy)[\d.]*w?$|^py$/
const NODE =
  /^(?:node|nodejs|tsx|tsm|ts-node(?:-esm|-dev|-transpile-only)?|vite-node|babel-node|swc-node|esno|jiti|zx|electron|qjs)$/

interface Interpreter {
  /** The option that precedes code. */
  readonly code?: RegExp
  /** Options that take the next word. */
  readonly value?: RegExp
}

const INTERPRETERS: ReadonlyMap<string, Interpreter> = new Map<string, Interpreter>([
  [
    'deno',
    { code: /^eval$/, value: /^(?:-c|--config|--import-map|--lock|--cert|--location|--seed|--env-file)$/ },
  ],
  ['ruby', { code: /^-[a-z]*e$/, value: /^-[rICE]$/ }],
  ['perl', { code: /^-[a-z0]*[eE]$/, value: /^-I$/ }],
  ['php', { code: /^-[rBRE]$/, value: /^-[cdzt]$/ }],
  ['lua', { code: /^-e$/, value: /^-l$/ }],
  ['Rscript', { code: /^-e$/ }],
  [
    'bats',
    {
      value: /^(?:-[fjFoT]|--filter|--filter-tags|--jobs|--formatter|--output|--report-formatter)$/,
    },
  ],
])

/** Programs whose script is recognized by its extension; their other arguments are not scripts. */
const ENDINGS: ReadonlyMap<string, RegExp> = new Map([
  ['fish', /\.fish$/],
  ['nu', /\.nu$/],
  ['xonsh', /\.xsh$/],
  ['pwsh', /\.ps1$/i],
  ['powershell', /\.ps1$/i],
  ['cscript', /\.(?:vbs|js|wsf)$/i],
  ['osascript', /\.(?:applescript|scpt|js)$/],
  ['java', /\.java$/],
  ['jshell', /\.(?:jsh|java)$/],
  ['kotlin', /\.kts?$/],
  ['kotlinc', /\.kts$/],
  ['scala', /\.(?:sc|scala)$/],
  ['groovy', /\.groovy$/],
  ['dotnet', /\.(?:csx|fsx|cs)$/],
  ['julia', /\.jl$/],
  ['octave', /\.m$/],
  ['R', /\.R$/i],
  ['elixir', /\.exs?$/],
  ['mix', /\.exs$/],
  ['escript', /\.e(?:rl|script)$/],
  ['swift', /\.swift$/],
  ['dart', /\.dart$/],
  ['crystal', /\.cr$/],
  ['nim', /\.nims?$/],
  ['zig', /\.zig$/],
  ['v', /\.vsh?$/],
  ['raku', /\.raku(?:mod)?$/],
  ['tclsh', /\.tcl$/],
  ['expect', /\.exp$/],
  ['runghc', /\.l?hs$/],
  ['runhaskell', /\.l?hs$/],
  ['ocaml', /\.ml$/],
  ['racket', /\.rkt$/],
  ['guile', /\.scm$/],
  ['sbcl', /\.lisp$/],
  ['bb', /\.clj[cs]?$/],
  ['clojure', /\.clj[cs]?$/],
  ['psql', /\.sql$/],
  ['duckdb', /\.sql$/],
  ['hurl', /\.hurl$/],
  ['k6', /\.[jt]s$/],
  ['newman', /\.json$/],
  ['robot', /\.robot$/],
  ['ipython', /\.(?:py|ipynb)$/],
  ['jupyter', /\.ipynb$/],
  ['papermill', /\.ipynb$/],
])

/** Returns the script given to an interpreter; `null` if `name` is not an interpreter. */
export function interpretedScript(name: string, words: readonly string[]): ScriptArgument | null {
  if (SHELLS.test(name)) return shellScript(words)
  if (PYTHON.test(name)) return pythonScript(words)
  if (name === 'coverage') return words[0] === 'run' ? pythonScript(words.slice(1)) : NO_SCRIPT
  if (NODE.test(name)) return nodeScript(words)
  if (name === 'go') return words[0] === 'run' ? goProgram(words.slice(1)) : NO_SCRIPT
  if (name === 'cargo') return cargoProgram(words)
  const ending = ENDINGS.get(name)
  if (ending !== undefined) return scriptByEnding(words, ending)
  if (name === 'deno' && words[0] === 'task') return NO_SCRIPT
  const interpreter = INTERPRETERS.get(name)
  return interpreter === undefined ? null : firstFile(words, interpreter)
}

function shellScript(words: readonly string[]): ScriptArgument {
  for (const [at, word] of words.entries()) {
    if (/^-[a-z]*c[a-z]*$/i.test(word)) return { kind: 'shell', text: words[at + 1] ?? '' }
    // The script comes from stdin; the words are its arguments.
    if (/^-[a-z]*s[a-z]*$/.test(word)) return NO_SCRIPT
    if (/^[-+]/.test(word)) continue
    // `-euo pipefail`, `-O extglob`.
    if (/^(?:[-+][a-z]*o|--rcfile|--init-file)$/i.test(words[at - 1] ?? '')) continue
    return { kind: 'file', path: word, isShell: true }
  }
  return NO_SCRIPT
}

function pythonScript(words: readonly string[]): ScriptArgument {
  for (const [at, word] of words.entries()) {
    // One-letter options can be combined: `-um module`.
    if (/^-[bBdEiIOPqsSuvx]*m$/.test(word)) return { kind: 'module', name: words[at + 1] ?? '' }
    if (/^-[bBdEiIOPqsSuvx]*c$/.test(word)) return { kind: 'code' }
    if (
      word.startsWith('-') ||
      /^(?:-[WX]|--rcfile|--data-file|--source|--include|--omit)$/.test(words[at - 1] ?? '')
    )
      continue
    return { kind: 'file', path: word, isShell: false }
  }
  return NO_SCRIPT
}

function nodeScript(words: readonly string[]): ScriptArgument {
  if (words.some((word) => word === '--test')) return NO_SCRIPT
  const run = words.findIndex((word) => /^--run(?:=|$)/.test(word))
  if (run >= 0) {
    const script = words[run]?.slice('--run='.length) || (words[run + 1] ?? '')
    return { kind: 'package-script', scripts: [script], folder: '', otherwise: null }
  }
  return firstFile(words, {
    code: /^(?:-e|-p|-pe|--eval|--print)$/,
    value:
      /^(?:-r|--require|--import|--loader|--experimental-loader|--env-file(?:-if-exists)?|-C|--conditions|--tsconfig|-P|--project|--input-type|--title|--watch-path)$/,
  })
}

function firstFile(words: readonly string[], { code, value }: Interpreter): ScriptArgument {
  for (const [at, word] of words.entries()) {
    if (code?.test(word)) return { kind: 'code' }
    if (word.startsWith('-') || value?.test(words[at - 1] ?? '')) continue
    if (word === 'run' || word === 'test') continue
    return { kind: 'file', path: word, isShell: false }
  }
  return NO_SCRIPT
}

function scriptByEnding(words: readonly string[], ending: RegExp): ScriptArgument {
  if (words.some((word) => /^(?:-e|--eval|-c|-Command|-EncodedCommand)$/i.test(word))) return { kind: 'code' }
  const path = words.find((word) => !word.startsWith('-') && ending.test(word))
  return path === undefined ? NO_SCRIPT : { kind: 'file', path, isShell: false }
}

/** Returns the files given to `go run`, or a package, which is built from everything in its folder. */
function goProgram(words: readonly string[]): ScriptArgument {
  const first = words.find(
    (word, at) =>
      !word.startsWith('-') &&
      !/^--?(?:C|exec|ldflags|tags|gcflags|mod|overlay|p)$/.test(words[at - 1] ?? ''),
  )
  if (first === undefined || first.includes('@')) return NO_SCRIPT
  return first.endsWith('.go')
    ? { kind: 'file', path: first, isShell: false }
    : { kind: 'sources', globs: [`${first}/*.go`] }
}

/** A program of a workspace that is built and run for a check: `cargo run -p xtask`, `cargo xtask`. That of the package itself is the work. */
function cargoProgram(words: readonly string[]): ScriptArgument {
  const plain = words.filter((word) => !/^[+-]/.test(word))
  if (plain[0] === 'xtask') return { kind: 'sources', globs: ['xtask/**'] }
  if (!/^r(?:un)?$/.test(plain[0] ?? '')) return NO_SCRIPT
  const end = words.indexOf('--')
  const own = end < 0 ? words : words.slice(0, end)
  const globs = own.flatMap((word, at) => {
    const [, option = own[at - 1] ?? '', name = word] = /^(--[\w-]+)=(.+)$/.exec(word) ?? []
    if (/^(?:-p|--package)$/.test(option)) return [`${name}/**`, `crates/${name}/**`, `tools/${name}/**`]
    if (option === '--bin') return [`src/bin/${name}.rs`, `src/bin/${name}/**`]
    if (option === '--example') return [`examples/${name}.rs`, `examples/${name}/**`]
    if (option === '--manifest-path') return [name.replace(/[^/]*$/, '**')]
    return []
  })
  return globs.length > 0 ? { kind: 'sources', globs } : NO_SCRIPT
}
