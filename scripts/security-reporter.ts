import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import type { TestResult } from './security-promises.ts'

/**
 * Writes each test's result, and its reason if it was skipped (which vitest's own JSON leaves out), into the file that SECURITY_RESULTS
 * names.
 */
export default class implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const results = modules.flatMap((module) =>
      [...module.children.allTests()].map((test): TestResult => {
        const result = test.result()
        const why = result.state === 'skipped' ? result.note : undefined
        return {
          file: relative(process.cwd(), module.moduleId),
          title: test.name,
          // If a file's setup failed, its tests did not run.
          status: module.errors().length > 0 ? 'failed' : result.state,
          ...(why !== undefined && { why }),
        }
      }),
    )
    writeFileSync(process.env.SECURITY_RESULTS ?? 'security-results.json', JSON.stringify(results))
  }
}
