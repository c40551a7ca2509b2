import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)

/** Runs in a separate process, because an uncaught error would end the tests' own. */
async function inProcess(code: string): Promise<{ stdout: string; exitCode: number }> {
  const script = `
import { catchMistakes } from ${JSON.stringify(join(import.meta.dirname, 'mistakes.ts'))}
const log = { info() {}, warn() {}, error: (message, fields) => console.log('log', message, fields.cause) }
catchMistakes({ log, show: (message) => console.log('shown', message), end: () => process.exit(70) })
${code}`
  const args = ['--experimental-strip-types', '--no-warnings', '--input-type=module', '--eval', script]
  return run(process.execPath, args).then(
    ({ stdout }) => ({ stdout, exitCode: 0 }),
    ({ stdout, code: exitCode }: { stdout: string; code: number }) => ({ stdout, exitCode }),
  )
}

test('an unhandled rejection is logged with its stack and shown, and the process continues', async () => {
  const { stdout, exitCode } = await inProcess(
    "void Promise.reject(new Error('lost')); setTimeout(() => console.log('still here'), 20)",
  )
  expect(stdout).toMatch(/log .*rejection Error: lost\n {4}at /)
  expect(stdout).toMatch(/shown .*keeps running: lost\./)
  expect(stdout).toContain('still here')
  expect(exitCode).toBe(0)
})

test('an uncaught exception is logged with its stack and shown, and ends the process with a distinct code', async () => {
  const { stdout, exitCode } = await inProcess("setTimeout(() => { throw new TypeError('broken') })")
  expect(stdout).toMatch(/log .*uncaught exception TypeError: broken\n {4}at /)
  expect(stdout).toMatch(/shown .*broken\./)
  expect(exitCode).toBe(70)
})
