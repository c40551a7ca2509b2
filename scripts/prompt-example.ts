import { buildReportSection } from '../src/core/prompt/report-section.ts'

/** From the last heading of the example that the product writes itself to the end of its fence. */
const WRITTEN = /## Report\n\nEnd your answer[\s\S]*?(?=\n`{5}\n)/

/** Returns docs/prompt.md with the report section of its example as the prompt currently has it. */
export function withReportSection(document: string): string {
  if (!WRITTEN.test(document)) throw new Error('docs/prompt.md has no example that ends with "## Report".')
  return document.replace(WRITTEN, () => buildReportSection(['weekly_report'], false))
}
