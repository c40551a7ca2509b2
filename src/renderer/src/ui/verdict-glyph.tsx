import { Check, Equal, EqualNot, Hourglass, Minus, Plug, X } from 'lucide-react'
import { type ShownVerdict, VERDICT_WORDS } from '../../../core/vocabulary/verdict.ts'
import { classNames } from './class-names.ts'
import styles from './verdict-glyph.module.css'

/** Shows a verdict's sign in its color, with a text alternative. */
export function VerdictGlyph({ kind, size = 18 }: { kind: ShownVerdict; size?: number }) {
  return (
    <span
      className={styles.glyph}
      data-kind={kind}
      role="img"
      aria-label={VERDICT_WORDS[kind].title}
      title={VERDICT_WORDS[kind].title}
    >
      <VerdictIcon kind={kind} size={size} />
    </span>
  )
}

function VerdictIcon({ kind, size }: { kind: ShownVerdict; size: number }) {
  const icon = { size, strokeWidth: 2.25, 'aria-hidden': true }
  switch (kind) {
    case 'verified':
      return <Check {...icon} />
    case 'not_verified':
      return <X {...icon} />
    case 'contradiction':
      return <EqualNot {...icon} strokeWidth={2.75} />
    case 'held':
      return <Hourglass {...icon} size={size - 2} />
    case 'unclear':
      return <span className={styles.question}>?</span>
    case 'skipped':
      return <Minus {...icon} />
    case 'environment':
      return <Plug {...icon} />
  }
}

/**
 * The product's sign: `=` if claim and measurement agree, `≠` if they don't, `?` if unknown. Red only for a contradiction: work that is
 * merely not done (`isCalm`) has a muted ✕.
 */
export function EqualitySign({
  agrees,
  large = false,
  isCalm = false,
}: {
  agrees: boolean | null
  large?: boolean
  isCalm?: boolean
}) {
  const icon = { size: large ? 20 : 16, strokeWidth: 2.5, 'aria-hidden': true }
  const words = agrees === null ? 'cannot be compared with' : agrees ? 'equals' : 'does not equal'
  return (
    <span
      className={classNames(styles.sign, large && styles.large)}
      data-agrees={String(agrees)}
      data-calm={isCalm}
      role="img"
      aria-label={words}
    >
      {agrees === null ? (
        <span className={styles.question}>?</span>
      ) : agrees ? (
        <Equal {...icon} />
      ) : isCalm ? (
        <X {...icon} />
      ) : (
        <EqualNot {...icon} />
      )}
    </span>
  )
}
