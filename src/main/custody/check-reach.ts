import { readFileSync, statSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { split } from 'shlex'
import { type CheckReach, findInstruments, type Instrument } from '../../core/custody/instruments.ts'
import { groundOf, readWithinSync } from '../files/beneath.ts'
import { entriesOf } from '../files/names.ts'
import { isFileAt, statAt } from '../files/stats-at.ts'
import type { CheckConfiguration, CheckName, DescribedCheck } from '../ports/custody.ts'

/** A check that runs a program. */
export interface Check {
  readonly name: CheckName
  readonly command: readonly string[]
}

const MAX_TEXT_BYTES = 1024 * 1024

/** Returns all checks of a configuration that execute something. */
export function checksOf({ probes, gates, judge, approvedCommands }: CheckConfiguration): readonly Check[] {
  return [
    ...Object.entries(probes).flatMap(([name, { source }]): Check[] =>
      source.kind === 'command' ? [{ name: `probe ${name}`, command: source.command }] : [],
    ),
    ...gates.commands.map((command): Check => ({ name: 'gate', command })),
    ...approvedCommands.flatMap((text): Check[] => {
      const command = wordsOf(text)
      return command === null ? [] : [{ name: 'command', command }]
    }),
    ...(judge === null ? [] : [{ name: 'judge' as const, command: judge.command }]),
  ]
}

function wordsOf(text: string): readonly string[] | null {
  try {
    return split(text)
  } catch {
    return null
  }
}

/** Returns what a check reaches. Reads files below `directory`; content that `readBase` returns counts instead of what is on disk. */
export function reachOf(
  { command }: Check,
  directory: string,
  readBase: (path: string) => string | null | undefined,
): CheckReach {
  return findInstruments(command, {
    readText: (path) => {
      const base = readBase(path)
      return base === undefined ? readSmall(directory, path) : base
    },
    isFile: (path) => {
      const base = readBase(path)
      if (base !== undefined) return base !== null
      // A word of a command need not be a path; an inline script is too long for one.
      return isFileAt(statAt(isAbsolute(path) ? path : join(directory, path)))
    },
    foldersIn: (path) => {
      const entries = isAbsolute(path) ? [] : entriesOf(join(directory, path))
      return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    },
  })
}

/**
 * Returns the text of a moderately large file in the repository of `directory`, or of one elsewhere that the operator's configuration
 * names.
 */
export function readSmall(directory: string, path: string): string | null {
  const file = isAbsolute(path) ? path : join(directory, path)
  const { top } = groundOf(directory)
  if (isIn(top, file)) return readWithinSync(top, file, MAX_TEXT_BYTES)?.toString('utf8') ?? null
  try {
    const stats = statSync(file)
    return stats.isFile() && stats.size <= MAX_TEXT_BYTES ? readFileSync(file, 'utf8') : null
  } catch {
    return null
  }
}

function isIn(top: string, file: string): boolean {
  const way = relative(top, file)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Converts a path from the workspace to one from the top, with `/`; `null` if it leads out of the tree. */
export function fromTop(top: string, directory: string, path: string): string | null {
  const way = relative(top, isAbsolute(path) ? path : join(directory, path))
  if (way === '' || way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return null
  return sep === '/' ? way : way.replaceAll(sep, '/')
}

/** Returns the probes that only read a file, which an agent may write too. */
export function fileProbesOf({ probes }: CheckConfiguration): readonly DescribedCheck[] {
  return Object.entries(probes).flatMap(([name, { source }]): DescribedCheck[] =>
    source.kind === 'file'
      ? [{ check: `probe ${name}`, command: [], executes: [], reads: [source.file], unresolved: [] }]
      : [],
  )
}

/** Describes a check file in words. */
export function describeInstrument({ kind, path, part, perhapsSubject }: Instrument): string {
  if (perhapsSubject) return `${path} (which counts if it is emptied)`
  switch (kind) {
    case 'program':
      return `the program ${path}`
    case 'package-script':
      return `${path}: ${part ?? ''}`
    default:
      return path
  }
}

/** Describes a glob of files that a check loads. */
export function describeTakenIn(glob: string): string {
  const folder = /^(.*)\/\*\*\/\{/.exec(glob)?.[1]
  return folder === undefined ? `all of ${glob}` : `the code in ${folder}/`
}
