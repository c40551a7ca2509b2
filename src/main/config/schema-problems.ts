import type { z } from 'zod'
import type { TomlDocument, TomlPath, TomlValue } from '../../core/text/toml-document.ts'
import type { ConfigProblem } from '../ports/workspace-config.ts'

/** More problems than a person reads at once; the rest is shown after the first are fixed. */
const MAXIMUM_PROBLEMS = 50

/** A problem, with its setting. */
type LocatedProblem = ConfigProblem & { readonly path: TomlPath }

/** Returns the schema's findings in the order of the file: where, what was expected and what was found. */
export function schemaProblems(error: z.ZodError, document: TomlDocument): ConfigProblem[] {
  return locatedProblems(error, document).map(({ path: _setting, ...problem }) => problem)
}

/** Like `schemaProblems`, but says which setting each problem belongs to. */
export function locatedProblems(error: z.ZodError, document: TomlDocument): LocatedProblem[] {
  const problems = error.issues.flatMap((issue) => problemsOf(issue, document))
  return problems
    .filter((problem) => !problems.some((other) => explains(other, problem)))
    .sort((left, right) => left.line - right.line || left.column - right.column)
    .slice(0, MAXIMUM_PROBLEMS)
}

function problemsOf(issue: z.core.$ZodIssue, document: TomlDocument): LocatedProblem[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  switch (issue.code) {
    case 'unrecognized_keys': {
      const messages = issue.message.split('\n')
      return issue.keys.map((key, index) => ({
        message: `${nameOf([...path, key])}: ${messages[index]}`,
        ...document.keyPlace([...path, key]),
        path: [...path, key],
      }))
    }
    case 'invalid_key':
      return [
        {
          message: `${nameOf(path)}: expected ${issue.issues[0]?.message}, found ${JSON.stringify(path.at(-1))}.`,
          ...document.keyPlace(path),
          path,
        },
      ]
    // A rule about several settings has its own sentence.
    case 'custom':
      return [{ message: `${nameOf(path)}: ${issue.message}`, ...document.valuePlace(path), path }]
    default:
      return [describeMismatch(path, issue.message, document)]
  }
}

/** If a name is misspelled, the right one is missing too: reports one mistake once, where it was made. */
function explains(misspelt: LocatedProblem, missing: LocatedProblem): boolean {
  const name = String(missing.path.at(-1))
  return (
    missing.message.startsWith(`${nameOf(missing.path)} is missing: `) &&
    misspelt.message.endsWith(`Did you mean "${name}"?`) &&
    nameOf(misspelt.path.slice(0, -1)) === nameOf(missing.path.slice(0, -1))
  )
}

function describeMismatch(path: TomlPath, expected: string, document: TomlDocument): LocatedProblem {
  const value = lookUp(document.root, path)
  const message =
    value === undefined
      ? `${nameOf(path)} is missing: expected ${expected}.`
      : `${nameOf(path)}: expected ${expected}, found ${describeValue(value)}.`
  return { message, ...document.valuePlace(path), path }
}

function lookUp(root: TomlValue, path: TomlPath): TomlValue | undefined {
  let value: TomlValue | undefined = root
  for (const part of path) {
    if (typeof value !== 'object' || value instanceof Date) return undefined
    value = (value as Record<string | number, TomlValue>)[part]
  }
  return value
}

/** Returns the setting's name as people write it: `probes.mail.command[0]`. */
function nameOf(path: TomlPath): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`
      const name = /^[\w-]+$/.test(part) ? part : JSON.stringify(part)
      return index === 0 ? name : `.${name}`
    })
    .join('')
}

function describeValue(value: TomlValue): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 59)}…` : value)
  if (value instanceof Date) return 'a date'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  return typeof value === 'object' ? 'a table' : String(value)
}
