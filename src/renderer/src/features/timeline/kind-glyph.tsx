import {
  CircleDashed,
  FilePen,
  Gavel,
  Info,
  LockOpen,
  type LucideIcon,
  OctagonPause,
  Pause,
  Play,
  Scale,
  ShieldCheck,
  ShieldQuestionMark,
  ThumbsDown,
  ThumbsUp,
  TriangleAlert,
} from 'lucide-react'
import type { TimelineEntry } from '../../../../core/record/timeline-entry.ts'
import { type ShownVerdict, VERDICT_WORDS } from '../../../../core/vocabulary/verdict.ts'
import { VerdictGlyph } from '../../ui/verdict-glyph.tsx'
import { SeverityGlyph } from '../interventions/severity-glyph.tsx'
import styles from './entry.module.css'

const BY_TYPE: Readonly<Record<string, LucideIcon>> = {
  'thumbs-up': ThumbsUp,
  'thumbs-down': ThumbsDown,
  overruled: Gavel,
  paused: Pause,
  resumed: Play,
  'suspension-lifted': Play,
  suspended: OctagonPause,
  approved: ShieldCheck,
  'configuration-changed': ShieldQuestionMark,
}

/** The icon of an entry: that of its verdict, its severity, or its kind. */
export function KindGlyph({ entry }: { entry: TimelineEntry }) {
  const { kind, type, severity } = entry
  if (kind === 'verdict' && Object.hasOwn(VERDICT_WORDS, type))
    return <VerdictGlyph kind={type as ShownVerdict} size={16} />
  if (kind === 'intervention') return <SeverityGlyph severity={severity} />
  const Icon = iconOf(entry)
  return (
    <span className={styles.glyph} data-severity={severity} data-type={type} aria-hidden>
      <Icon size={16} strokeWidth={2} />
    </span>
  )
}

function iconOf({ kind, type, severity }: TimelineEntry): LucideIcon {
  if (Object.hasOwn(BY_TYPE, type)) return BY_TYPE[type] ?? Info
  switch (kind) {
    case 'standing':
      return Scale
    case 'contract':
      return FilePen
    case 'unblock':
      return LockOpen
    case 'gap':
      return CircleDashed
    default:
      return severity === 'info' ? Info : TriangleAlert
  }
}
