import { NO_SCRIPT, type ScriptArgument } from './script-argument.ts'

/*
 * Which of an interpreter's arguments is the script. An option that takes the next word has to be known: its value would be taken
 * for the script, and the script for one of its arguments.
 */

const SHELLS = /^(?:ba|da|z|k|a|mk)?sh$/
const PYTHON = /^(?:python|pypy)[\d.]*w?$|^py$/
const NODE = /^(?:node|nodejs|tsx|ts-node)$/

interface Interpreter {
  /** The option that is followed by code. */
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

/** Programs whose script is known by its ending; what else they are given is theirs. */
const ENDINGS: ReadonlyMap<string, RegExp> = new Map([
  ['fish', /\.fish$/],
  ['pwsh', /\.ps1$/i],
  ['powershell', /\.ps1$/i],
  ['java', /\.java$/],
  ['julia', /\.jl$/],
  ['elixir', /\.exs?$/],
  ['groovy', /\.groovy$/],
  ['swift', /\.swift$/],
])

/** The script that an interpreter is given; `null`: `name` is none. */
export function interpretedScript(name: string, words: readonly string[]): ScriptArgument | null {
  if (SHELLS.test(name)) return shellScript(words)
  if (PYTHON.test(name)) return pythonScript(words)
  if (name === 'coverage') return words[0] === 'run' ? pythonScript(words.slice(1)) : NO_SCRIPT
  if (NODE.test(name)) return nodeScript(words)
  if (name === 'go') return words[0] === 'run' ? goProgram(words.slice(1)) : NO_SCRIPT
  const ending = ENDINGS.get(name)
  if (ending !== undefined) return scriptByEnding(words, ending)
  if (name === 'deno' && words[0] === 'task') return NO_SCRIPT
  const interpreter = INTERPRETERS.get(name)
  return interpreter === undefined ? null : firstFile(words, interpreter)
}

function shellScript(words: readonly string[]): ScriptArgument {
  for (const [at, word] of words.entries()) {
    if (/^-[a-z]*c[a-z]*$/i.test(word)) return { kind: 'shell', text: words[at + 1] ?? '' }
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

/** Files, or a package: what is built of it is all that lies there. */
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
