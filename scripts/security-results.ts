import type { TestResult } from './security-promises.ts'

/** The parts of a suite of Playwright's JSON reporter that are read here. */
interface Suite {
  readonly file: string
  readonly suites?: readonly Suite[]
  readonly specs?: readonly {
    readonly title: string
    readonly tests: readonly {
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
      readonly annotations?: readonly { readonly type: string; readonly description?: string }[]
    }[]
  }[]
}

const OF_PLAYWRIGHT = { expected: 'passed', unexpected: 'failed', flaky: 'failed', skipped: 'skipped' }

/** Returns the tests in a file of Playwright's JSON reporter. */
export function readPlaywright(text: string): readonly TestResult[] {
  return (JSON.parse(text) as { readonly suites: readonly Suite[] }).suites.flatMap(ofSuite)
}

function ofSuite({ file, suites = [], specs = [] }: Suite): readonly TestResult[] {
  return [
    ...specs.flatMap(({ title, tests }) =>
      tests.map(({ status, annotations = [] }) => {
        const why = annotations.find(({ type }) => type === 'skip')?.description
        const result = { file: `e2e/${file}`, title, status: OF_PLAYWRIGHT[status] }
        return why === undefined ? result : { ...result, why }
      }),
    ),
    ...suites.flatMap(ofSuite),
  ]
}
