import type { ChangeVerdict, Finding } from '../types.ts'
import { plain } from './words.ts'

const SEVERITIES = { critical: 'critical', warning: 'major', info: 'info' } as const satisfies Record<
  Finding['severity'],
  string
>

/** Returns the findings as GitLab's Code Quality report. */
export function codeQuality({ custody }: ChangeVerdict): readonly object[] {
  return custody.map(({ code, severity, path, line, message, fingerprint }) => ({
    description: plain(message),
    check_name: code,
    fingerprint,
    severity: SEVERITIES[severity],
    location: { path, lines: { begin: line ?? 1 } },
  }))
}
