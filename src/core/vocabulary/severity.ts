import { z } from 'zod'

/** How serious an intervention, or any entry of the timeline, is. Worst first. */
export const SEVERITIES = ['critical', 'warning', 'info'] as const

export type Severity = (typeof SEVERITIES)[number]

export const severitySchema = z.enum(SEVERITIES)

export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  critical: 'Critical',
  warning: 'Warning',
  info: 'Info',
}
