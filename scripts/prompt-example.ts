import { buildReportSection } from '../src/core/prompt/report-section.ts'

/** Matches the generated part of the example: from its heading "Report" to the end of the fence. */
const WRITTEN = /## Report\n\nEnd your answer[\s\S]*?(?=\n`{5}\n)/

/** Returns docs/prompt.md with the report section of its example replaced by the current prompt's. */
export function withReportSection(document: string): string {
  if (!WRITTEN.test(document)) throw new Error('docs/prompt.md has no example that ends with "## Report".')
  return document.replace(WRITTEN, () => buildReportSection(['weekly_report'], false))
}
