import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { type Extension, Facet } from '@codemirror/state'
import { BUILT_IN_FUNCTIONS } from '../../../../../core/contract/hint.ts'
import { readTaskLine } from '../../../../../core/contract/task-line.ts'
import { showValue } from '../../../../../core/verification/values.ts'
import { membersAt } from './json-members.ts'
import { currentParse, type HintWorld, hintWorldOf } from './parsed-contract.ts'

const KEYWORDS: readonly (Completion & { readonly kind: string })[] = [
  { kind: 'required', label: 'required', detail: 'the default', type: 'keyword' },
  { kind: 'required', label: 'optional', detail: 'half the points, may be skipped', type: 'keyword' },
  {
    kind: 'verify',
    label: 'verify: ',
    displayLabel: 'verify:',
    detail: 'how it is checked',
    type: 'keyword',
  },
  {
    kind: 'max-attempts',
    label: 'max_attempts: ',
    displayLabel: 'max_attempts:',
    detail: '3 by default',
    type: 'keyword',
  },
  {
    kind: 'may-change',
    label: 'may_change: ',
    displayLabel: 'may_change:',
    detail: 'a protected file that it may change',
    type: 'keyword',
  },
  {
    kind: 'when',
    label: 'when: ',
    displayLabel: 'when:',
    detail: 'run only when this is true',
    type: 'keyword',
  },
  {
    kind: 'model',
    label: 'model: ',
    displayLabel: 'model:',
    detail: 'the model for this task',
    type: 'keyword',
  },
  {
    kind: 'files',
    label: 'files: never',
    detail: 'the task writes no files',
    type: 'keyword',
  },
]

/** This field may occur several times in a line. */
const REPEATABLE = 'may-change'

const FUNCTIONS: readonly Completion[] = BUILT_IN_FUNCTIONS.map(({ name, signature, doc }) => ({
  label: `${name}("")`,
  displayLabel: name,
  detail: signature.slice(name.length),
  info: doc,
  type: 'function',
  apply: (view, _completion, from, to) => {
    // Put the cursor between the quotes, where the argument is typed next.
    const anchor = from + name.length + 2
    view.dispatch({
      changes: { from, to, insert: `${name}("")` },
      selection: { anchor },
      userEvent: 'input.complete',
    })
  },
}))

/** Reads a probe as approved; resolves with `undefined` if it cannot be read now. Never rejects. */
export type ReadProbe = (name: string) => Promise<unknown>

export const probeReader = Facet.define<ReadProbe, ReadProbe | null>({
  combine: ([reader]) => reader ?? null,
})

/** Where in a task line the cursor is. */
interface Spot {
  readonly kinds: ReadonlySet<string>
  /** The field's text before the cursor. */
  readonly before: string
}

/**
 * Completes keywords in a task line's field, probes and functions in its check, the values of a JSON probe after its name, and approved
 * commands inside `succeeds("…")`.
 */
export function completeTaskLine(
  context: CompletionContext,
): CompletionResult | null | Promise<CompletionResult | null> {
  const spot = findSpot(context)
  if (spot === null) return null
  if (/^\s*(?:max_attempts|may_change|files|model)\s*:/i.test(spot.before)) return null
  const hint = spot.before.replace(/^\s*(?:verify|when)\s*:/i, '')
  const isHint = hint !== spot.before
  const command = /\bsucceeds\(\s*"([^"]*)$/.exec(hint)
  const world = hintWorldOf(context.state)
  if (command !== null) return completeCommand(context, command[1] ?? '', world)
  // Quotes contain a path, or the operator's own text.
  if (/^(?:[^"']|"[^"]*"|'[^']*')*["'][^"']*$/.test(hint)) return null
  const inside = /(?:^|[^\w.])([A-Za-z_]\w*)\.((?:\w+\.)*)(\w*)$/.exec(hint)
  if (inside !== null) return completeInside(context, world, inside.slice(1) as [string, string, string])
  const word = /[A-Za-z_]\w*$/.exec(hint)?.[0] ?? ''
  if (word === '' && !context.explicit) return null
  if (/\.\w*$/.test(hint)) return null
  const from = context.pos - word.length
  const isFieldStart = hint.trim() === word && !isHint
  const keywords = isFieldStart
    ? KEYWORDS.filter(({ kind }) => kind === REPEATABLE || !spot.kinds.has(kind))
    : []
  const names = spot.kinds.has('verify') && !isHint && word === '' ? [] : [...probes(world), ...FUNCTIONS]
  return { from, options: [...keywords, ...names], validFor: /^\w*$/ }
}

function findSpot({ state, pos }: CompletionContext): Spot | null {
  const line = state.doc.lineAt(pos)
  const { contract } = currentParse(state)
  if (!contract.tasks.some((task) => task.line === line.number)) return null
  const start = line.text.indexOf(']') + 1
  const { fields } = readTaskLine(line.text.slice(start))
  const column = pos - line.from - start
  const index = fields.findLastIndex(({ from }) => from <= column)
  const field = fields[index]
  if (field === undefined || index < 2) return null
  const others = fields.filter((each) => each !== field).map(({ kind }) => kind)
  return { kinds: new Set(others), before: field.raw.slice(0, column - field.from) }
}

function probes({ probes: known }: HintWorld): readonly Completion[] {
  return known.map(({ name, source, parse }) => ({
    label: name,
    detail: `probe, ${parse}`,
    info: source,
    type: 'variable',
    boost: 1,
  }))
}

/** Completes after `tests.` with what the probe of that name currently contains. */
async function completeInside(
  { pos, state }: CompletionContext,
  { probes: known }: HintWorld,
  [name, path, word]: [string, string, string],
): Promise<CompletionResult | null> {
  const probe = known.find((each) => each.name === name)
  const read = state.facet(probeReader)
  // Probes of these kinds read a single value without members.
  if (read === null || probe === undefined || ['number', 'text', 'exit'].includes(probe.parse)) return null
  const members = membersAt(await read(name), path.split('.').slice(0, -1))
  if (members.length === 0) return null
  const options = members.map(([label, value]) => ({ label, detail: showValue(value), type: 'property' }))
  return { from: pos - word.length, options, validFor: /^\w*$/ }
}

function completeCommand(
  { pos }: CompletionContext,
  written: string,
  { approvedCommands }: HintWorld,
): CompletionResult {
  const options = approvedCommands.map((label) => ({ label, detail: 'approved', type: 'text' }))
  return { from: pos - written.length, options }
}

export const complete: Extension = autocompletion({ override: [completeTaskLine], icons: false })
