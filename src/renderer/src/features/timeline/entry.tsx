import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import { formatSignedPoints } from '../../../../core/scoring/format.ts'
import { exactTime, timeOfDay } from '../../format/moments.ts'
import { sentence } from '../../format/sentence.ts'
import { Prose } from '../../ui/prose.tsx'
import { EqualitySign } from '../../ui/verdict-glyph.tsx'
import { Comparisons } from '../attempt/comparisons.tsx'
import { claimedAndFound } from '../interventions/details.ts'
import styles from './entry.module.css'
import { EntryDetails } from './entry-details.tsx'
import type { EntryLinks } from './entry-links.ts'
import { raisedOf } from './entry-words.ts'
import { KindGlyph } from './kind-glyph.tsx'

/** One entry: what happened on one line, with claim next to measurement; when opened, everything recorded about it. */
export function Entry({
  links,
  entry,
  text,
  open,
  onToggle,
}: {
  links: EntryLinks
  entry: TimelineEntry
  /** The searched text. */
  text: string
  open: boolean
  onToggle: () => void
}) {
  const { taskId, points, at } = entry
  const atMs = Date.parse(at)
  return (
    <div className={styles.entry} data-severity={entry.severity} data-open={open}>
      <KindGlyph entry={entry} />
      <div className="stack gap-half shrinks small">
        <div className={styles.head}>
          <button
            type="button"
            className={styles.title}
            aria-expanded={open}
            tabIndex={-1}
            onClick={onToggle}
          >
            {entry.title}
          </button>
          {taskId !== null && <bdi className={styles.task}>{taskId}</bdi>}
          {links.where !== null && <span className="tiny faint">{links.where}</span>}
          <span className={styles.side}>
            {points !== null && (
              <span className="quiet strong" data-sign={Math.sign(points)}>
                {formatSignedPoints(points)}
              </span>
            )}
            <time dateTime={at} title={exactTime(atMs)}>
              {timeOfDay(atMs)}
            </time>
          </span>
        </div>
        {!open && <Summary entry={entry} searched={text} />}
        {open && <EntryDetails links={links} entry={entry} />}
      </div>
    </div>
  )
}

/** The line below the title: claim and measurement if there are any, else the line with the searched text, or the first line. */
function Summary({ entry, searched }: { entry: TimelineEntry; searched: string }) {
  if (entry.comparisons.length > 0) {
    const shown = entry.comparisons.toSorted((a, b) => Number(a.agrees) - Number(b.agrees)).slice(0, 2)
    const more = entry.comparisons.length - shown.length
    return (
      <div className={styles.comparisons}>
        <Comparisons
          comparisons={shown}
          label="Claim and measurement"
          isContradiction={entry.type === 'contradiction'}
        />
        {more > 0 && <span className="faint">and {more} more</span>}
      </div>
    )
  }
  const sides = entry.kind === 'intervention' ? claimedAndFound(raisedOf(entry)) : null
  if (sides !== null) {
    return (
      <p className={styles.confronted} dir="auto">
        <span>claimed {sides.claimed}</span>
        <EqualitySign agrees={sides.contradicts ? false : null} isCalm />
        <span>{sides.found[0]}</span>
      </p>
    )
  }
  const words =
    entry.note ??
    entry.text.find((each) => each.toLowerCase().includes(searched.toLowerCase())) ??
    entry.text[0]
  if (words === undefined) return null
  return (
    <p className={styles.words} dir="auto">
      {entry.note === null ? <Prose text={sentence(words)} /> : <q>{words}</q>}
    </p>
  )
}
