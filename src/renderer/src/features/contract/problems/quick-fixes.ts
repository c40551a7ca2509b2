import leven from 'leven'
import { applyEdit, type ContractEdit, type FieldChange } from '../../../../../core/contract/edit.ts'
import { parseHint } from '../../../../../core/contract/hint.ts'
import { asTaskLine } from '../../../../../core/contract/near-tasks.ts'
import { meantField, nearestOf, REPORT_KEYS } from '../../../../../core/contract/near-words.ts'
import { slugify } from '../../../../../core/contract/parse.ts'
import type { Contract, Diagnostic, TaskDefinition } from '../../../../../core/contract/types.ts'
import { fixHint, nearestName, renameInHint, unknownNames } from './hint-fixes.ts'

/** An obvious fix: its label, and the text after it (`null` if it cannot be applied). */
export interface QuickFix {
  readonly name: string
  apply(source: string): string | null
  /** The part of the new text that the user probably wants to replace. */
  readonly select?: string
}

interface Place {
  readonly diagnostic: Diagnostic
  readonly contract: Contract
  readonly probeNames: readonly string[]
}

/** Returns the obvious fixes of a problem, the most likely one first; each is one of core's lossless edits, or changes one character. */
export function quickFixes(
  diagnostic: Diagnostic,
  contract: Contract,
  probeNames: readonly string[],
): readonly QuickFix[] {
  const place = { diagnostic, contract, probeNames }
  const { line } = diagnostic.range.start
  const index = contract.tasks.findIndex((task) => task.line === line)
  const task = contract.tasks[index]
  if (task === undefined) return fixesOutside(place)
  switch (diagnostic.code) {
    case 'empty-id':
    case 'duplicate-id':
      return [nameTask(contract, task, index)]
    case 'bad-max-attempts':
      return [setField('Set max_attempts: 3', index, { field: 'maxAttempts', value: 3 })]
    case 'two-hints':
      return joinHints(task, index)
    case 'vague-hint':
      return hintsFor(task, index, probeNames)
    case 'unknown-probe':
      return renameProbes(task, index, probeNames)
    case 'unknown-key':
      return renameKeys(task, index, diagnostic.message)
    case 'unknown-field':
      return meansField(task, line)
    case 'broken-hint': {
      const fixed = fixHint(task.verify, probeNames)
      return fixed === null ? [] : [setField(`Write ${fixed}`, index, { field: 'verify', value: fixed })]
    }
    default:
      return []
  }
}

function fixesOutside({ diagnostic }: Place): readonly QuickFix[] {
  const { line } = diagnostic.range.start
  switch (diagnostic.code) {
    case 'no-tasks': {
      if (diagnostic.range.end.offset > diagnostic.range.start.offset && isNearHeading(diagnostic.message))
        return [changedLine('Write “## Tasks”', line, () => '## Tasks')]
      const task = { id: 'first_task', description: 'What the agent should do', verify: 'changed("**")' }
      return [{ name: 'Add a first task', apply: edited({ kind: 'add', task }), select: task.description }]
    }
    case 'checkbox-outside-tasks':
      return [changedLine('Remove its box', line, (text) => text.replace(/\[[ xX]\][ \t]?/, ''))]
    case 'malformed-task':
      return [
        changedLine(
          'Start it with “- [ ]”',
          line,
          (text) =>
            asTaskLine(text) ??
            text.replace(
              /^([ \t>]*)(?:[-*+]|\d+[.)])([ \t]+)(?:(\[[ xX]\])[ \t]+)?/,
              (_, indent, space, box) => `${indent}-${space}${box ?? '[ ]'} `,
            ),
        ),
      ]
    default:
      return []
  }
}

function edited(...edits: readonly ContractEdit[]): (source: string) => string | null {
  return (source) => {
    let text = source
    for (const edit of edits) {
      const result = applyEdit(text, edit)
      if (!result.ok) return null
      text = result.text
    }
    return text
  }
}

function setField(name: string, task: number, change: FieldChange): QuickFix {
  return { name, apply: edited({ kind: 'set', task, change }) }
}

/** Rewrites one line (from 1) of the text; its line break and all other lines stay. */
function changedLine(name: string, line: number, change: (text: string) => string): QuickFix {
  return {
    name,
    apply: (source) => {
      const lines = source.split(/(\r\n?|\n)/)
      const text = lines[(line - 1) * 2]
      if (text === undefined) return null
      const changed = change(text)
      return changed === text ? null : lines.with((line - 1) * 2, changed).join('')
    },
  }
}

function nameTask(contract: Contract, task: TaskDefinition, index: number): QuickFix {
  const wanted = task.id === '' ? shortName(task.description) : task.id
  const id = freeId(contract, wanted)
  return setField(`Name it ${id}`, index, { field: 'id', value: id })
}

function shortName(description: string): string {
  const words = description.match(/[\p{L}\p{N}]+/gu)?.slice(0, 3) ?? []
  return slugify(words.join(' ')) || 'task'
}

/** Returns the id if it is unused, else with the first suffix number that makes it unused. */
export function freeId({ tasks }: Contract, wanted: string): string {
  const taken = new Set(tasks.map(({ id }) => id))
  if (!taken.has(wanted)) return wanted
  let number = 2
  while (taken.has(`${wanted}_${number}`)) number++
  return `${wanted}_${number}`
}

/** Joins both conditions into one check; prose cannot be joined. */
function joinHints(task: TaskDefinition, index: number): readonly QuickFix[] {
  const apply = (source: string): string | null => {
    const without = edited({ kind: 'set', task: index, change: { field: 'verify', value: null } })(source)
    const texts = task.fields
      .filter(({ kind }) => kind === 'verify')
      .map(({ range }) => {
        const written = source.slice(range.start.offset, range.end.offset)
        return written
          .replace(/^verify\s*:/i, '')
          .trim()
          .replaceAll('\\|', '|')
          .replace(/^`(.*)`$/, '$1')
          .trim()
      })
    if (without === null || texts.some((text) => parseHint(text, []).kind === 'words')) return null
    const value = texts.map((text) => (text.includes('||') ? `(${text})` : text)).join(' && ')
    return edited({ kind: 'set', task: index, change: { field: 'verify', value } })(without)
  }
  return [{ name: 'Join both with &&', apply }]
}

const PATH = /(?:[\w.-]+\/)*[\w-]+\.[A-Za-z]\w{0,4}\b/

/** Suggests checks based on a task's description: a file that it names, or a probe with a word in common. */
function hintsFor(task: TaskDefinition, index: number, probeNames: readonly string[]): readonly QuickFix[] {
  const path = PATH.exec(task.description)?.[0]
  const glob = path ?? '**'
  const words = new Set(`${task.id}_${task.description}`.toLowerCase().split(/[^\p{L}\p{N}]+|_/u))
  const probes = probeNames.filter((name) =>
    name.split('_').some((part) => part.length > 2 && words.has(part)),
  )
  const change = setField(
    path === undefined ? 'Ask that a file changes' : `Ask that ${path} changes`,
    index,
    { field: 'verify', value: `changed("${glob}")` },
  )
  const readings = probes
    .slice(0, 2)
    .map((name) => setField(`Ask the probe ${name}`, index, { field: 'verify', value: name }))
  return [...readings, { ...change, select: glob }]
}

function renameProbes(
  task: TaskDefinition,
  index: number,
  probeNames: readonly string[],
): readonly QuickFix[] {
  return unknownNames(task.verify, probeNames).flatMap((name) => {
    const near = nearestName(name, probeNames, leven)
    const value = near === null ? null : renameInHint(task.verify, name, near)
    return value === null || near === null
      ? []
      : [setField(`Change ${name} to ${near}`, index, { field: 'verify', value })]
  })
}

/** Whether the message says that the heading was probably meant as the tasks heading. */
function isNearHeading(message: string): boolean {
  return message.includes('Did you mean "## Tasks"?')
}

function renameKeys(task: TaskDefinition, index: number, message: string): readonly QuickFix[] {
  const [, probe = '', key = ''] = /^The report of "([^"]+)" has no "([^"]+)"/.exec(message) ?? []
  const near = nearestOf(key, REPORT_KEYS)
  if (near === null) return []
  const value = task.verify.replaceAll(new RegExp(`(?<![\\w.])${probe}\\.${key}\\b`, 'g'), `${probe}.${near}`)
  return [setField(`Change ${key} to ${near}`, index, { field: 'verify', value })]
}

/** Replaces a misspelled field with the one that was meant. */
function meansField(task: TaskDefinition, line: number): readonly QuickFix[] {
  const meant = meantField(task.verify)
  if (meant === null) return []
  return [changedLine(`Write ${meant}`, line, (text) => text.replace(task.verify, () => meant))]
}
