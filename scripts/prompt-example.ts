import { buildReportSection } from '../src/core/prompt/report-section.ts'

/** Matches what the product writes itself in the example: from its last heading to the end of the fence. */
const WRITTEN = /## Report\n\nEnd your answer[\s\S]*?(?=\n`{5}\n)/

/** Returns docs/prompt.md with the report section of its example replaced by the current one. */
export function withReportSection(document: string): string {
  if (!WRITTEN.test(document)) throw new Error('docs/prompt.md has no example that ends with "## Report".')
  return document.replace(WRITTEN, () => buildReportSection(['weekly_report'], false))
}
