import {
  MAX_REPORT_BYTES,
  type ReportFormat,
  type ReportReading,
  reportOf,
  type TestCase,
} from '../../../core/reports/test-report.ts'
import { type CasesReading, readJestJson, readPytestJson } from './read-json-report.ts'
import { readJunit } from './read-junit.ts'
import { readGoTest, readLibtestJson } from './read-line-reports.ts'
import { readExunit, readLibtest, readMinitest, readRspec } from './read-printed.ts'
import { readProve } from './read-prove.ts'
import { readTap } from './read-tap.ts'
import { readTrx } from './read-trx.ts'
import { readUnittest } from './read-unittest.ts'

/**
 * Returns the report in a runner's text or texts, counted from all their cases; if one of them is rejected, the whole report is, with the
 * reason as a sentence. `root`: the folder of the run, removed from paths so that a test has the same name wherever it runs. Never throws.
 */
export function readReports(format: ReportFormat, texts: readonly string[], root: string): ReportReading {
  const cases: TestCase[] = []
  for (const text of texts) {
    if (text.length > MAX_REPORT_BYTES)
      return { ok: false, reason: `it is larger than ${MAX_REPORT_BYTES} bytes` }
    if (text.trim() === '') return { ok: false, isNothing: true, reason: 'it is empty' }
    const reading = READERS[format](text, root)
    if (!reading.ok) return reading
    for (const one of reading.cases) cases.push(one)
  }
  return reportOf(cases)
}

const readXml = (text: string, root: string, otherwise: (text: string) => CasesReading): CasesReading =>
  text.trimStart().startsWith('<') ? readJunit(text, root) : otherwise(text)

const READERS: Readonly<Record<ReportFormat, (text: string, root: string) => CasesReading>> = {
  vitest: readJestJson,
  jest: readJestJson,
  junit: readJunit,
  pytest: (text, root) => readXml(text, root, readPytestJson),
  nextest: (text, root) => readXml(text, root, readLibtestJson),
  tap: readTap,
  unittest: readUnittest,
  'go-test': readGoTest,
  'cargo-test': readLibtest,
  prove: readProve,
  minitest: readMinitest,
  rspec: readRspec,
  exunit: readExunit,
  trx: readTrx,
}
