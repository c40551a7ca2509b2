/*
 * A check that reports only an exit code proves nothing if the work ends its process early. With a failing end appended it
 * has to fail: if it passes, its end was not reached.
 */

import { failingComparisons } from './failing-comparisons.ts'
import { withFailingMain } from './failing-main.ts'
import { foldedC } from './folded-text.ts'
import { reachesFor } from './reaching.ts'
import { SUCCESS } from './reaching-signs.ts'

export type Language = 'node' | 'python' | 'ruby' | 'php' | 'perl' | 'shell' | 'c'

const LANGUAGES: readonly (readonly [program: RegExp, language: Language])[] = [
  [/^node(?:js)?$/, 'node'],
  [/^python[\d.]{0,9}$/, 'python'],
  [/^ruby[\d.]{0,9}$/, 'ruby'],
  [/^php[\d.]{0,9}$/, 'php'],
  [/^perl[\d.]{0,9}$/, 'perl'],
  [/^(?:ba|da|z|k)?sh$/, 'shell'],
]

/** A file that a check passes to an interpreter, or builds a program from. */
export interface CheckScript {
  readonly path: string
  readonly language: Language
  /** The other sources that the same check builds, which may be parts of the program. */
  readonly beside?: readonly string[]
}

/** Returns the language that a program with this name interprets; `null` if it is not known here. */
export function languageOf(program: string): Language | null {
  return LANGUAGES.find(([programs]) => programs.test(program))?.[1] ?? null
}

const FAILING_EXIT: Readonly<Record<Language, RegExp>> = {
  node: /\bprocess\.exit\(\s{0,9}[1-9]\d?\s{0,9}\)|\bexitCode\b/g,
  python:
    /\b(?:sys\.)?exit\(\s{0,9}(?:[1-9]\d?\s{0,9}\)|f?["'])|\bSystemExit\(\s{0,9}(?:[1-9]\d?\s{0,9}\)|f?["'])/g,
  ruby: /\bexit!?[ (]{1,2}(?:[1-9]\d?|false)\b/g,
  php: /\b(?:exit|die)\s{0,9}\(\s{0,9}[1-9]\d?\s{0,9}\)/g,
  perl: /\bexit[ (]{0,2}[1-9]\d?\b|\bdie\b/g,
  shell: /\bexit[ \t]{1,9}[1-9]\d?\b/g,
  c: /\b_{0,2}[eE]xit\s{0,9}\(\s{0,9}(?:[1-9]\d?|EXIT_FAILURE)\s{0,9}\)/g,
}

/** What ends a script before its last line, or lets a runner end it: a `main()` from another file may end the process. */
const ENDS_ITSELF =
  /\b_?exit\b|\bdie\b|\bSystemExit\b|\bexec[lv]?p?e?\b|\bhalt\b|\bkill\b|\b__halt_compiler\b|\b(?:unittest|pytest|doctest|absltest|nose2?)\b|\bautorun\b|\btest\/unit\b|\bat_?exit\b|\bregister_shutdown_function\b|\bexecute_from_command_line\b/
/** A call that often starts a whole program; nothing here shows that it returns. */
const RUNS_PROGRAM =
  /(?<![\w$])(main|cli|app|run|start|execute|serve)!?\s{0,9}\(|(?:\.|->|::)(?:run|start|main|execute|parse|handle|call_command)\b/g
const DEFINES = (name: string): RegExp =>
  new RegExp(
    `\\b(?:def|function|sub|const|let|var)\\s{1,9}\\*?\\s{0,9}${name}\\b|^${name}\\s{0,9}\\(\\)\\s{0,9}\\{`,
    'm',
  )

/** Decides the status of a process when it ends, as small harnesses do for checks without an explicit end. */
const DECIDES_STATUS =
  /\bprocess\s{0,9}\.\s{0,9}(?:on|once)\s{0,9}\(\s{0,9}['"](?:exit|beforeExit)['"]|\bat_?exit\b|\bregister_shutdown_function\b|^\s{0,80}END\s{0,9}\{|\btrap\b[^\n]{0,200}\b(?:EXIT|0)\b/m

/** Everything with which a source can end its process, however it is written. Most sources of libraries contain none of it. */
const MAY_END: readonly (readonly [files: RegExp, pattern: RegExp])[] = [
  [
    /\.[cm]?[jt]sx?$/,
    /\b(?:process|globalThis|global|self|eval|Function|constructor|Reflect|Proxy|createRequire|Deno|Bun)\b|\b(?:from|import|require)\s{0,9}\(?\s{0,9}['"`](?:node:)?(?:process|child_process|module|vm|worker_threads|cluster|repl|inspector|async_hooks)\b|\bimport\s{0,9}\(\s{0,9}(?!['"])|\brequire\b(?!\s{0,9}\(\s{0,9}['"])|\.exit\b/,
  ],
  [
    /\.py$/,
    /\b(?:_?exit|quit|abort|kill|sys|os|posix|signal|ctypes|builtins|getattr|globals|locals|vars|eval|exec|compile|importlib|atexit|SystemExit|BaseException|KeyboardInterrupt|threading|_thread|subprocess|multiprocessing|asyncio|faulthandler|gc|inspect)\b|__(?:import|builtins|dict|class|subclasses|globals|getattribute|mro|bases|code|loader)__/,
  ],
  [
    /\.rb$/,
    /\b(?:exit|abort|at_exit|Process|Kernel|Signal|send|__send__|public_send|method|eval|instance_eval|class_eval|throw|trap|fork|exec|syscall|system|ObjectSpace|const_get|binding|Thread|def[ \t]{1,9}raise)\b|`/,
  ],
  [
    /\.php$/,
    /\b(?:exit|die|eval|assert|call_user_func\w*|array_map|usort|register_shutdown_function|set_\w+_handler|posix_\w+|pcntl_\w+|Reflection\w*|ob_start|ini_set|assert_options)\b|\$\w+\s{0,9}\(|\$\$|`/i,
  ],
  [
    /\.p[lm]$/,
    /\b(?:_?exit|POSIX|kill|exec|die|eval|END|CORE|goto|dump|syscall|local\s{1,9}\$SIG|refs)\b|\$SIG\b|\$\?|&\s{0,9}[{$]|->\s{0,9}\$|\*\{|`/,
  ],
  [
    /\.(?:sh|bash|zsh|ksh)$/,
    /\b(?:exit|trap|exec|eval|kill|source|return|alias|set)\b|(?:^|[;&|{]|(?<![$(])\(|\b(?:then|do|else)\b)[ \t]{0,9}(?:\.[ \t]|[^\s;&|="']{0,40}["']?\$)|`/m,
  ],
  [
    /\.(?:c|cc|cpp|cxx|h|hh|hpp)$/i,
    /[eE]xit|syscall|asm\b|\bdl(?:sym|open)|\bexec[lv]|fork|spawn|signal|sigaction|kill|raise|thread|jmp|structor|\b(?:section|alias|weak|ifunc)\b|abort|terminate|throw|assert|##|#\s{0,9}define|trace|prctl|alarm|timer|limit|std::|\(\s{0,9}\*/,
  ],
]

const OF_C = /\.(?:c|cc|cpp|cxx|h|hh|hpp)$/i
/** What ends a C program with its own exit status. */
const ENDS_C = /\b(?:quick_|_{0,2})[eE]xit\s{0,9}\(/

/** How a source can replace what a check compares with: it assigns to a part of another object. */
const MAY_REPLACE =
  /(?<!\b(?:this|self|module\.exports)|(?<![\w.])exports)\.[ \t]{0,9}[\w$]{1,80}[ \t]{0,9}=[^=>]|\][ \t]{0,9}=[^=>]|\b(?:assign|defineProperty|defineProperties|setattr|set|__dict__|update)\b/

/**
 * Returns whether a source may end the process that loads it, or replace what that process compares with: true unless its text rules
 * this out. `compares`: whether it is known how the process compares. Pure; never throws.
 */
export function mayEndProcess(path: string, text: string, compares = false): boolean {
  if (compares && MAY_REPLACE.test(text)) return true
  const pattern = MAY_END.find(([files]) => files.test(path))?.[1]
  if (pattern !== undefined) return pattern.test(text)
  // Without an extension it is data, or a program.
  return /\.\w+$/.test(path) || text.startsWith('#!')
}

/** Returns whether it is known how a script compares, so that a trial can show whether its comparisons still fail. Pure. */
export function isComparing(text: string, language: Language): boolean {
  return (language === 'node' || language === 'python') && failingComparisons(text, language) !== null
}

/** Returns a script that only fails, by the same means as `withFailingEnd` does. */
export function failingScript(text: string, language: Language): string {
  return beginning(text, language) + failingEnd(text, language)
}

/** What the failing end needs before it. */
function beginning(text: string, language: Language): string {
  switch (language) {
    case 'node':
    case 'python':
      return `${failingComparisons(text, language)?.loads ?? ''}\n`
    case 'php':
      return '<?php '
    case 'shell':
      return endsAtErrors(text) ? 'set -e\n' : ''
    case 'ruby':
    case 'perl':
    case 'c':
      return ''
  }
}

/** Returns statements that fail in the same way as the text: by its comparisons, if it has any. */
function failingEnd(text: string, language: Language): string {
  switch (language) {
    case 'node':
    case 'python': {
      const calls = failingComparisons(text, language)?.calls
      return calls === undefined ? PLAIN_END[language] : comparingEnd(calls, language)
    }
    case 'php':
      return ASSERTS_PHP.test(text) ? FAILED_ASSERTION_OF_PHP : 'exit(1);\n'
    case 'ruby':
      return RAISES_RUBY.test(text) ? 'raise "wrong";\n' : 'exit 1;\n'
    case 'perl':
      return 'exit 1;\n'
    case 'shell':
      return endOfShell(text)
    case 'c':
      return 'int main(void) { return 1; }\n'
  }
}

const PLAIN_END = {
  // Emitted when nothing is left to do, but not when something ends the process.
  node: ";process.once('beforeExit', () => process.exit(1))\n",
  python: 'raise SystemExit(1)\n',
} as const

const ASSERTS_PHP = /(?<![\w$>:])assert\s{0,9}\(/
/** Assertions prove nothing if they are not compiled, which code can't cause. */
const FAILED_ASSERTION_OF_PHP = "if (ini_get('zend.assertions') === '-1') exit(1); assert(false);\n"
const RAISES_RUBY = /^[ \t]*raise\b/m

/** Returns whether the shell stops at a command that fails. One that continues passes whatever it finds. */
function endsAtErrors(text: string): boolean {
  return /^(?:set[ \t]+-\w*e|#!.*[ \t]-\w*e)/m.test(text) && !/\bset[ \t]+\+/.test(text)
}

function endOfShell(text: string): string {
  const finds = /\bgrep\b/.test(text) ? "printf '1\\n' | grep -qx 2 && exit 0\n" : ''
  return `${finds}${endsAtErrors(text) ? 'false\n:\n' : 'exit 1\n'}`
}

/** Fails if each of the comparisons does. */
function comparingEnd(calls: readonly string[], language: 'node' | 'python'): string {
  const all = calls.map((call) => (language === 'node' ? `() => ${call}` : `lambda: ${call}`)).join(', ')
  return language === 'node'
    ? `;process.once('beforeExit', () => { for (const one of [${all}]) { try { one() } catch { continue } return } process.exit(1) })\n`
    : `for _one in (${all},):\n    try:\n        _one()\n    except Exception:\n        continue\n    break\nelse:\n    raise SystemExit(1)\n`
}

const END_OF_CODE = /^__(?:END|DATA)__\b/m
const SHOWN_AFTER_PHP = /\?>(?![\s\S]*<\?)/

/**
 * Returns a check's text with an end that fails, by comparisons like its own if it has any; `null` unless it is clear that a run of the
 * text reaches its end. Pure; never throws.
 */
export function withFailingEnd(text: string, language: Language): string | null {
  if (language === 'c') return ENDS_ITSELF.test(otherEndsOfC(text)) ? null : withFailingMain(text)
  const rest = text.replace(FAILING_EXIT[language], '')
  if (ENDS_ITSELF.test(rest) || runsElsewhere(rest) || /\breturn\b/.test(withoutFunctions(rest, language)))
    return null
  const end = failingEnd(text, language)
  switch (language) {
    case 'node':
    case 'python':
      return `${text}\n${end}`
    case 'ruby':
    case 'perl':
      return /^=\w/m.test(text) ? null : beforeData(text, `\n;${end}`)
    case 'php':
      return `${text}\n${SHOWN_AFTER_PHP.test(text) ? '<?php ' : ';'}${end}`
    case 'shell':
      return /<</.test(text) ? null : `${text}\n${end}`
  }
}

/** A script of a check, and what could end it before its end. */
export interface EndedScript extends CheckScript {
  readonly text: string
  /** Everything that it loads, directly or through other files, by path. May include the script. */
  readonly loaded: ReadonlyMap<string, string>
  /** What the work changed. */
  readonly changed: ReadonlySet<string>
  /** Whether one of these may end a process. */
  readonly mayBeEnded: boolean
}

/**
 * Returns the script with a failing end; `null` if it doesn't reach its end in an honest tree either, or if nothing that it loads or that
 * was changed could end it, so that another run would show nothing. Pure; never throws.
 */
export function endToTry({ path, language, text, loaded, changed, mayBeEnded }: EndedScript): string | null {
  const others = [...loaded].filter(([file]) => file !== path)
  // A helper that ends the process for its check does so in an honest tree too; one that was changed has its sign.
  const isHelper = ([file, of]: readonly [string, string]): boolean =>
    reachesFor(file, of, true).includes(SUCCESS) || (!changed.has(file) && decidesStatus(file, of))
  if (others.some(isHelper)) return null
  const compares = isComparing(text, language)
  const canEnd = mayBeEnded || others.some(([file, of]) => mayEndProcess(file, of, compares))
  return canEnd ? withFailingEnd(text, language) : null
}

function decidesStatus(path: string, text: string): boolean {
  return OF_C.test(path) ? ENDS_C.test(otherEndsOfC(text)) : DECIDES_STATUS.test(text)
}

function otherEndsOfC(text: string): string {
  return foldedC(text).replace(FAILING_EXIT.c, '')
}

function runsElsewhere(text: string): boolean {
  return [...text.matchAll(RUNS_PROGRAM)].some(([, name]) => name === undefined || !DEFINES(name).test(text))
}

/** Returns a text without functions, in which a `return` ends the script; empty for any other. */
function withoutFunctions(text: string, language: Language): string {
  const hasFunctions = /\bfunction\b|=>|\bdef\b|\bsub\b|\bfn\b|\(\)\s{0,9}\{/.test(text)
  return language === 'python' || hasFunctions ? '' : text
}

function beforeData(text: string, end: string): string {
  const at = END_OF_CODE.exec(text)?.index ?? text.length
  return `${text.slice(0, at)}${end}${text.slice(at)}`
}
