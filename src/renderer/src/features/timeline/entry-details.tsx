import { Link2 } from 'lucide-react'
import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import { formatPoints } from '../../../../core/scoring/format.ts'
import { counted } from '../../format/counted.ts'
import { exactTime } from '../../format/moments.ts'
import { sentence } from '../../format/sentence.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { PatchView } from '../../ui/patch-view.tsx'
import { Prose } from '../../ui/prose.tsx'
import { Comparisons } from '../attempt/comparisons.tsx'
import { InterventionBody } from '../interventions/intervention-body.tsx'
import styles from './entry.module.css'
import type { EntryLinks } from './entry-links.ts'
import { raisedOf } from './entry-words.ts'

/** Everything recorded about an entry, with links. */
export function EntryDetails({ links, entry }: { links: EntryLinks; entry: TimelineEntry }) {
  const { comparisons, text, note, attemptId } = entry
  const attempt = attemptId === null ? null : links.attempt(attemptId)
  return (
    <div className={styles.details}>
      {comparisons.length > 0 && (
        <div className={styles.sheet}>
          <p className={styles.columns} aria-hidden>
            <span>The agent claimed</span>
            <span>Measured</span>
          </p>
          <Comparisons
            comparisons={comparisons}
            label="Claim and measurement"
            isContradiction={entry.type === 'contradiction'}
            spine
          />
        </div>
      )}
      {text.length > 0 && (
        <ul className="stack gap-half">
          {text.map((words, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the sentences of one recorded entry never move, and may be alike
            <li key={index} dir="auto">
              <Prose text={sentence(words)} />
            </li>
          ))}
        </ul>
      )}
      {note !== null && (
        <blockquote className={styles.note} dir="auto">
          {note}
        </blockquote>
      )}
      {entry.kind === 'intervention' && <InterventionBody raised={raisedOf(entry)} />}
      {entry.kind === 'standing' && <StandingFigures details={entry.details} />}
      {entry.kind === 'contract' && <ContractDifference entry={entry} />}
      {entry.kind === 'verdict' && <ChangedFiles entry={entry} />}
      <footer className={styles.foot}>
        {attempt !== null && (
          <a className="medium" href={attempt}>
            View attempt
          </a>
        )}
        {entry.kind === 'contract' && links.contract !== null && (
          <a className="medium" href={links.contract}>
            Open the contract
          </a>
        )}
        {links.entry !== null && <CopyLink address={links.entry} />}
        <span className={styles.when}>
          {exactTime(Date.parse(entry.at))}
          {entry.cycle !== null && `, heartbeat ${entry.cycle}`}
        </span>
      </footer>
    </div>
  )
}

function StandingFigures({ details }: { details: TimelineEntry['details'] }) {
  const { score, target, interval_minutes: minutes } = details
  if (typeof score !== 'number' || typeof target !== 'number' || typeof minutes !== 'number') return null
  return (
    <p>
      {formatPoints(score)} of {counted(target, 'point')}, a heartbeat every {counted(minutes, 'minute')}.
    </p>
  )
}

/**
 * The difference, or an honest note that it is unknown: an old ledger has no text of the contract, and a first reading has nothing before
 * it.
 */
function ContractDifference({ entry }: { entry: TimelineEntry }) {
  if (entry.patch !== null) return <PatchView patch={entry.patch} label="Difference of HEARTBEAT.md" />
  if (entry.type === 'first-read') return null
  return <p className="faint">The text before this edit was not recorded, so its lines cannot be shown.</p>
}

function ChangedFiles({ entry: { files, filesCount, attemptId } }: { entry: TimelineEntry }) {
  if (filesCount === 0) return <p className="faint">No file changed.</p>
  const more = filesCount - files.length
  return (
    <div>
      <p>
        {counted(filesCount, 'file')} changed{attemptId !== null && '; the attempt shows what in them'}:
      </p>
      <ul className={styles.files}>
        {files.map((path) => (
          <li key={path}>
            <bdi>{path}</bdi>
          </li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </div>
  )
}

function CopyLink({ address }: { address: string }) {
  return (
    <CopyButton text={() => linkTo(address)} icon={<Link2 size={14} aria-hidden />} className={styles.copy}>
      Copy link
    </CopyButton>
  )
}

/** Returns a link to share: a browser's own address, or for the desktop, whose page address is useless elsewhere, an app link. */
function linkTo(address: string): string {
  if (location.protocol !== 'http:') return `pulseward://${address.replace(/^#\//u, '')}`
  const url = new URL(location.href)
  url.hash = address
  return url.href
}
