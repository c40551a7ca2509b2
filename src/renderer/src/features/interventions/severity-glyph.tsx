import { CircleAlert, Info, TriangleAlert } from 'lucide-react'
import { SEVERITY_WORDS, type Severity } from '../../../../core/vocabulary/severity.ts'
import styles from './intervention.module.css'

const ICONS = { critical: CircleAlert, warning: TriangleAlert, info: Info } as const

/** Shows an intervention's severity by shape and color, with a text alternative. */
export function SeverityGlyph({ severity }: { severity: Severity }) {
  const Icon = ICONS[severity]
  return (
    <span
      className={styles.glyph}
      data-severity={severity}
      role="img"
      aria-label={SEVERITY_WORDS[severity]}
      title={SEVERITY_WORDS[severity]}
    >
      <Icon size={16} strokeWidth={2} aria-hidden />
    </span>
  )
}
