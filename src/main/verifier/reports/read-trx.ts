import type { TestCase, TestStatus } from '../../../core/reports/test-report.ts'
import type { CasesReading } from './read-json-report.ts'
import { parseXml } from './read-junit.ts'

const STATUS: Readonly<Record<string, TestStatus>> = {
  Passed: 'passed',
  PassedButRunAborted: 'failed',
  NotExecuted: 'skipped',
  Inconclusive: 'skipped',
  NotRunnable: 'skipped',
  Pending: 'skipped',
}

/**
 * Reads a TRX file, as `dotnet test --logger trx` writes it. Each result counts, and a run that ended early fails. Never
 * throws.
 */
export function readTrx(text: string): CasesReading {
  const cases: TestCase[] = []
  let root: string | null = null
  let outcome: string | null = null
  const reason = parseXml(text, ({ name, attributes }) => {
    root ??= name
    if (name === 'UnitTestResult')
      cases.push({ name: attributes.testName ?? '', status: STATUS[attributes.outcome ?? ''] ?? 'failed' })
    if (name === 'ResultSummary') outcome = attributes.outcome ?? null
  })
  if (reason !== null) return { ok: false, reason }
  if (root !== 'TestRun') return { ok: false, reason: `it begins with <${root ?? ''}>, not with <TestRun>` }
  const isRed = cases.some(({ status }) => status === 'failed')
  if (!isRed && !['Completed', 'Passed'].includes(outcome ?? ''))
    cases.push({ name: `(the run ended as ${outcome ?? 'nobody says'})`, status: 'failed' })
  return { ok: true, cases }
}
