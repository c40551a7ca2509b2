import { useMemo } from 'react'
import { classNames } from './class-names.ts'
import { type PatchLine, patchLines } from './patch-rows.ts'
import styles from './patch-view.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

const MAX_LINES = 4000

const SIGNS: Readonly<Partial<Record<PatchLine['kind'], string>>> = { added: '+', removed: '-', same: ' ' }

/** Shows a unified difference line by line; sign, color and text mark what was added and removed. */
export function PatchView({
  patch,
  label,
  isWhole = false,
}: {
  patch: string
  label: string
  /** For what someone approves: all lines are shown, and long ones wrapped, so that nothing is out of sight. */
  isWhole?: boolean
}) {
  const lines = useMemo(() => patchLines(patch), [patch])
  const shown = isWhole ? lines : lines.slice(0, MAX_LINES)
  return (
    <figure
      className={classNames(styles.patch, isWhole && styles.wraps)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
    >
      {shown.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one recorded difference never move
        <Line key={index} line={line} />
      ))}
      {lines.length > shown.length && (
        <span className={styles.rest}>{lines.length - shown.length} more lines are not shown.</span>
      )}
    </figure>
  )
}

function Line({ line: { kind, text } }: { line: PatchLine }) {
  return (
    <span className={classNames(styles.line, styles[kind])} dir="ltr">
      {(kind === 'added' || kind === 'removed') && <VisuallyHidden>{kind}: </VisuallyHidden>}
      {SIGNS[kind]}
      {kind === 'note' && text === '' ? ' ' : text}
    </span>
  )
}
