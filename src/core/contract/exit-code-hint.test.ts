import { expect, test } from 'vitest'
import { parseContract } from './parse.ts'

const OPTIONS = {
  probeNames: ['lint', 'tests'],
  exitCodes: { probes: ['lint'], commands: ['./check.sh'] },
}
const codes = (verify: string, options = {}) =>
  parseContract(`## Tasks\n- [ ] a | Do it | verify: ${verify}`, options).diagnostics.map(({ code }) => code)

test.each(['succeeds("./check.sh")', "succeeds('./check.sh') && lint == 0", 'lint', 'lint == 0'])(
  '%s depends on an exit code alone',
  (hint) => {
    expect(codes(hint, OPTIONS)).toEqual(['exit-code-only'])
  },
)

test.each([
  'succeeds("npm test")',
  'succeeds("./check.sh") && tests.failed == 0',
  'succeeds("./check.sh") && changed("src/**")',
  'lint == 0 && exists("a")',
  'tests.failed == 0',
])('%s depends on more than an exit code', (hint) => {
  expect(codes(hint, OPTIONS)).toEqual([])
})

test('is satisfied by a criterion that measures more', () => {
  const text = '## Tasks\n- [ ] a | Do it | verify: lint == 0\n  - [ ] well | verify: tests.failed == 0\n'
  expect(parseContract(text, OPTIONS).diagnostics).toEqual([])
})

test('reports nothing if it is unknown what the checks output', () => {
  expect(codes('succeeds("./check.sh")', { probeNames: [] })).toEqual([])
})
