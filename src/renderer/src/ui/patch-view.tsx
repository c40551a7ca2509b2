import { classNames } from './class-names.ts'
import type { PatchLineKind } from './patch-rows.ts'
import styles from './patch-view.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

const MAX_LINES = 4000

/** Shows a unified difference line by line; sign, color and text mark what was added and removed. */
export function PatchView({ patch, label }: { patch: string; label: string }) {
  const lines = patch.replace(/\n$/u, '').split('\n')
  const shown = lines.slice(0, MAX_LINES)
  return (
    <figure
      className={styles.patch}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
    >
      {shown.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines of one recorded difference never move
        <PatchLine key={index} line={line} />
      ))}
      {lines.length > shown.length && (
        <span className={styles.rest}>{lines.length - shown.length} more lines are not shown.</span>
      )}
    </figure>
  )
}

function PatchLine({ line }: { line: string }) {
  const kind = kindOf(line)
  return (
    <span className={classNames(styles.line, styles[kind])} dir="ltr">
      {kind === 'added' && <VisuallyHidden>added: </VisuallyHidden>}
      {kind === 'removed' && <VisuallyHidden>removed: </VisuallyHidden>}
      {line === '' ? ' ' : line}
    </span>
  )
}

function kindOf(line: string): PatchLineKind {
  if (line.startsWith('+++') || line.startsWith('---')) return 'file'
  if (line.startsWith('+')) return 'added'
  if (line.startsWith('-')) return 'removed'
  if (line.startsWith('@@')) return 'place'
  return line.startsWith('\\') || line.startsWith('#') ? 'note' : 'same'
}
