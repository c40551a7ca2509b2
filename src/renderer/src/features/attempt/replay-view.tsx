import { FileText, MessageSquare, Wrench } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { durationWords } from '../../../../core/pacing/duration-words.ts'
import type { AttemptDetail } from '../../../../core/read-model/attempt.ts'
import { measuredInWords } from '../../../../core/read-model/lie-words.ts'
import {
  findClaimInReplay,
  foldedPlace,
  type Replay,
  type ReplayEntry,
  replayRows,
} from '../../../../core/read-model/replay.ts'
import { plainText } from '../../store/output-buffer.ts'
import { useLongList } from '../../ui/use-long-list.tsx'
import { EqualitySign } from '../../ui/verdict-glyph.tsx'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import styles from './replay-view.module.css'

type Comparison = AttemptDetail['comparisons'][number]

const GLYPHS = {
  said: { Icon: MessageSquare, words: 'said' },
  call: { Icon: Wrench, words: 'did' },
  file: { Icon: FileText, words: 'wrote' },
} as const satisfies Record<ReplayEntry['kind'], unknown>

/** A longer replay shows its beginning and its end. */
const FIRST_ROWS = 120

/**
 * An attempt from its beginning to the final comparison, on one timeline: what was said, done and written, and what was then measured.
 * Pointing at a comparison highlights the line with the claim and the change that it depends on.
 */
export function ReplayView({ replay, comparisons }: { replay: Replay; comparisons: readonly Comparison[] }) {
  const [pointed, setPointed] = useState<Comparison | null>(null)
  const { shown, more } = useLongList(replayRows(replay), FIRST_ROWS)
  const found = pointed === null ? { said: [], shown: [] } : findClaimInReplay(replay, pointed)
  const markOf = (index: number): 'said' | 'shown' | undefined =>
    found.said.includes(index) ? 'said' : found.shown.includes(index) ? 'shown' : undefined
  return (
    <div className="stack tiny">
      <Axis replay={replay} markOf={markOf} />
      <ol className={styles.rows} aria-label="What happened when">
        {shown.map((row) =>
          row.kind === 'idle' ? (
            <li key={`idle ${row.afterMs}`} className={styles.idle}>
              {durationWords(row.ms)} without a sign
            </li>
          ) : (
            <EntryRow key={row.index} entry={row.entry} mark={markOf(row.index)} />
          ),
        )}
      </ol>
      {more}
      {replay.left > 0 && (
        <p className="faint">{replay.left.toLocaleString('en-GB')} lines of its middle are in the output.</p>
      )}
      <End comparisons={comparisons} durationMs={replay.durationMs} onPoint={setPointed}>
        {pointed !== null && <Pointed comparison={pointed} wasSaid={found.said.length > 0} />}
      </End>
    </div>
  )
}

/** The whole run on one line; idle time is shortened. */
function Axis({ replay, markOf }: { replay: Replay; markOf: (index: number) => string | undefined }) {
  const placeOf = foldedPlace(replay)
  return (
    <div className={styles.axis} aria-hidden>
      {replay.entries.map(({ atMs, kind }, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the entries of one recorded attempt never move
          key={index}
          className={styles.moment}
          data-kind={kind}
          data-mark={markOf(index)}
          style={{ insetInlineStart: `${placeOf(atMs) * 100}%` }}
        />
      ))}
    </div>
  )
}

function EntryRow({ entry: { atMs, kind, text }, mark }: { entry: ReplayEntry; mark: string | undefined }) {
  const { Icon, words } = GLYPHS[kind]
  return (
    <li className={styles.row} data-kind={kind} data-mark={mark}>
      <span className="faint end figures">{durationWords(atMs)}</span>
      <span className={styles.glyph} role="img" aria-label={words} title={words}>
        <Icon size={13} aria-hidden />
      </span>
      <span className={styles.text} dir="auto">
        {plainText(text)}
      </span>
    </li>
  )
}

/** The end of the replay: claim and measurement. */
function End({
  comparisons,
  durationMs,
  onPoint,
  children,
}: {
  comparisons: readonly Comparison[]
  durationMs: number
  onPoint: (comparison: Comparison | null) => void
  children: ReactNode
}) {
  if (comparisons.length === 0)
    return <p className="faint">It ended after {durationWords(durationMs)}, with nothing to compare.</p>
  return (
    <section aria-label="Measured after it ended">
      <ul>
        {comparisons.map((comparison) => (
          <li key={`${comparison.subject}\n${comparison.claimed}`}>
            <button
              type="button"
              className={styles.comparison}
              data-agrees={String(comparison.agrees)}
              onMouseEnter={() => onPoint(comparison)}
              onMouseLeave={() => onPoint(null)}
              onFocus={() => onPoint(comparison)}
              onBlur={() => onPoint(null)}
            >
              <VisuallyHidden>claimed </VisuallyHidden>
              <bdi className="mono">{comparison.subject}</bdi> <bdi>{comparison.claimed ?? 'nothing'}</bdi>
              <EqualitySign agrees={comparison.agrees} />
              <VisuallyHidden>measured </VisuallyHidden>
              <bdi className={styles.measured}>{measuredInWords(comparison.measured)}</bdi>
            </button>
          </li>
        ))}
      </ul>
      <p className={styles.pointed} role="status">
        {children}
      </p>
    </section>
  )
}

function Pointed({
  comparison: { agrees, subject, measured },
  wasSaid,
}: {
  comparison: Comparison
  wasSaid: boolean
}) {
  const where = wasSaid ? 'Said in the marked line.' : 'The line that said it is not shown.'
  if (agrees === null) return where
  return `${where} ${measured === 'not written' ? `No change of ${subject} is shown` : `Measured after the end: ${measuredInWords(measured)}`}.`
}
