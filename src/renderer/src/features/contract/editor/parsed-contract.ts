import { type EditorState, type Extension, StateEffect, StateField, type Text } from '@codemirror/state'
import { ViewPlugin, type ViewUpdate } from '@codemirror/view'
import type { ExitCodeChecks } from '../../../../../core/contract/exit-code-hint.ts'
import { parseContract } from '../../../../../core/contract/parse.ts'
import type { Contract, SourcePosition } from '../../../../../core/contract/types.ts'
import { isReportFormat } from '../../../../../core/reports/test-report.ts'
import { sourceOf } from '../text/line-endings.ts'

/** What checks may refer to. It comes from the configuration, not from the text. */
export interface HintWorld {
  readonly probes: readonly { readonly name: string; readonly source: string; readonly parse: string }[]
  readonly approvedCommands: readonly string[]
  /** Probes and commands that report only an exit code. */
  readonly exitCodes?: ExitCodeChecks | undefined
}

/** A document and its parsed contract. */
export interface ParsedContract {
  readonly doc: Text
  readonly source: string
  readonly contract: Contract
}

export const setHintWorld = StateEffect.define<HintWorld>()
export const setParsed = StateEffect.define<ParsedContract>()

const worldField = StateField.define<HintWorld>({
  create: () => ({ probes: [], approvedCommands: [] }),
  update: (world, { effects }) => effects.findLast((effect) => effect.is(setHintWorld))?.value ?? world,
})

/** The latest parse; while the user types, it may be of the document one frame ago. */
const parsedField = StateField.define<ParsedContract>({
  create: (state) => parseState(state),
  update: (parsed, { effects }) => effects.findLast((effect) => effect.is(setParsed))?.value ?? parsed,
})

export function parsedOf(state: EditorState): ParsedContract {
  return state.field(parsedField)
}

/** Returns the contract of the current document; parses it again if the latest parse is outdated. */
export function currentParse(state: EditorState): ParsedContract {
  const parsed = parsedOf(state)
  return parsed.doc === state.doc ? parsed : parseState(state)
}

export function hintWorldOf(state: EditorState): HintWorld {
  return state.field(worldField)
}

function parseState(state: EditorState): ParsedContract {
  const source = sourceOf(state)
  const { probes, exitCodes } = state.field(worldField)
  const probeNames = probes.map(({ name }) => name)
  const reportProbes = probes.filter(({ parse }) => isReportFormat(parse)).map(({ name }) => name)
  const options = { probeNames, reportProbes, ...(exitCodes !== undefined && { exitCodes }) }
  return { doc: state.doc, source, contract: parseContract(source, options) }
}

/** Converts a position in the source to the document: lines and columns are the same in both, but offsets may differ. */
export function documentPosition(
  doc: Text,
  { line, column }: Pick<SourcePosition, 'line' | 'column'>,
): number {
  const { from, to } = doc.line(Math.min(line, doc.lines))
  return Math.min(from + column - 1, to)
}

/** A parse that takes longer would be felt at every keystroke, so it waits until typing pauses. */
const LONG_PARSE_MS = 30
const PAUSE_MS = 150

/**
 * Parses after each change, before the frame with the change is painted: the key press itself is never delayed, and a problem shows
 * together with the character that caused it. Calls `onParsed` in the same frame.
 */
export function parseAlong(onParsed: (parsed: ParsedContract) => void): Extension {
  const plugin = ViewPlugin.define((view) => {
    let frame: number | null = null
    let timer: ReturnType<typeof setTimeout> | null = null
    let lastMs = 0
    const parse = () => {
      frame = timer = null
      const startedMs = performance.now()
      const parsed = parseState(view.state)
      lastMs = performance.now() - startedMs
      view.dispatch({ effects: setParsed.of(parsed) })
      onParsed(parsed)
    }
    const schedule = () => {
      if (lastMs > LONG_PARSE_MS) {
        if (timer !== null) clearTimeout(timer)
        timer = setTimeout(parse, PAUSE_MS)
      } else frame ??= requestAnimationFrame(parse)
    }
    schedule()
    return {
      update: ({ docChanged, transactions }: ViewUpdate) => {
        const isNew = transactions.some(({ effects }) => effects.some((effect) => effect.is(setHintWorld)))
        if (docChanged || isNew) schedule()
      },
      destroy: () => {
        if (frame !== null) cancelAnimationFrame(frame)
        if (timer !== null) clearTimeout(timer)
      },
    }
  })
  return [plugin]
}

/** The fields that the other extensions read; `parseAlong` keeps them up to date. */
export const parsedContract: Extension = [worldField, parsedField]

export function startWorld(world: HintWorld): Extension {
  return worldField.init(() => world)
}
