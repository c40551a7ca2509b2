import { useMemo, useState } from 'react'
import { Button } from './button.tsx'
import { codePieces } from './code-pieces.ts'
import { CopyButton } from './copy-button.tsx'
import styles from './difference-view.module.css'
import { OpenFileButton } from './open-file-button.tsx'
import { type PatchLine, type PatchRow, patchLines, patchRows } from './patch-rows.ts'
import { VisuallyHidden } from './visually-hidden.tsx'

const MAX_LINES = 4000
const KEPT = 'pulseward-difference'

/** Shows differences with syntax colors, unified or side by side, as last chosen. */
export function DifferenceView({
  workspaceId,
  patch,
  label,
}: {
  workspaceId: string
  patch: string
  label: string
}) {
  const [isSplit, setSplit] = useState(() => localStorage.getItem(KEPT) === 'split')
  const lines = useMemo(() => patchLines(patch), [patch])
  const rows = useMemo(() => patchRows(lines.slice(0, MAX_LINES)), [lines])
  const choose = (split: boolean) => () => {
    setSplit(split)
    localStorage.setItem(KEPT, split ? 'split' : 'unified')
  }
  return (
    <div className="stack gap-icon">
      <div className={styles.bar}>
        <Button look="quiet" aria-pressed={!isSplit} onClick={choose(false)}>
          Unified
        </Button>
        <Button look="quiet" aria-pressed={isSplit} onClick={choose(true)}>
          Side by side
        </Button>
        <CopyButton text={patch}>Copy the difference</CopyButton>
      </div>
      <figure
        className={styles.code}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        data-split={isSplit}
      >
        {isSplit
          ? // biome-ignore lint/suspicious/noArrayIndexKey: the rows of one recorded difference never move
            rows.map((row, index) => <SplitRow key={index} workspaceId={workspaceId} row={row} />)
          : lines
              .slice(0, MAX_LINES)
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one recorded difference never move
              .map((line, index) => <UnifiedLine key={index} workspaceId={workspaceId} line={line} />)}
      </figure>
      {lines.length > MAX_LINES && (
        <p className={styles.rest}>{lines.length - MAX_LINES} more lines are not shown.</p>
      )}
    </div>
  )
}

function UnifiedLine({ workspaceId, line }: { workspaceId: string; line: PatchLine }) {
  return (
    <div className={styles.line} data-kind={line.kind} dir="ltr">
      <span className={styles.number}>{line.before ?? ''}</span>
      <span className={styles.number}>{line.after ?? ''}</span>
      {line.opens === undefined ? <Text line={line} /> : <Place workspaceId={workspaceId} line={line} />}
    </div>
  )
}

/** The header of a changed section: opens the file there. */
function Place({ workspaceId, line: { text, opens } }: { workspaceId: string; line: PatchLine }) {
  if (opens === undefined) return text
  return (
    <OpenFileButton workspaceId={workspaceId} {...opens}>
      {text}
    </OpenFileButton>
  )
}

function SplitRow({ workspaceId, row }: { workspaceId: string; row: PatchRow }) {
  if (row.kind === 'head')
    return (
      <div className={styles.head} data-kind={row.line.kind} dir="ltr">
        <Place workspaceId={workspaceId} line={row.line} />
      </div>
    )
  return (
    <div className={styles.pair} dir="ltr">
      <Side line={row.before} number={row.before?.before ?? null} />
      <Side line={row.after} number={row.after?.after ?? null} />
    </div>
  )
}

function Side({ line, number }: { line: PatchLine | null; number: number | null }) {
  return (
    <div className={styles.side} data-kind={line?.kind ?? 'none'}>
      <span className={styles.number}>{number ?? ''}</span>
      {line !== null && <Text line={line} />}
    </div>
  )
}

const SIGNS: Readonly<Partial<Record<PatchLine['kind'], string>>> = { added: '+', removed: '−', same: ' ' }

function Text({ line: { kind, text } }: { line: PatchLine }) {
  const sign = SIGNS[kind]
  if (sign === undefined) return <span className={styles.text}>{text}</span>
  return (
    <span className={styles.text}>
      {kind !== 'same' && <VisuallyHidden>{kind}: </VisuallyHidden>}
      <span aria-hidden>{sign}</span>
      {codePieces(text).map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one line have no other identity
        <span key={index} data-code={piece.kind ?? undefined}>
          {piece.text}
        </span>
      ))}
      {'\n'}
    </span>
  )
}
