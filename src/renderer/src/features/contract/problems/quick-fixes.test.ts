import { describe, expect, it } from 'vitest'
import { parseContract } from '../../../../../core/contract/parse.ts'
import { quickFixes } from './quick-fixes.ts'

const PROBES = ['email_count', 'tests']

/** Returns the fixes of the first problem with this code, each with the resulting line. */
function fixes(code: string, source: string): readonly (readonly [string, string | null])[] {
  const contract = parseContract(source, { probeNames: PROBES })
  const diagnostic = contract.diagnostics.find((each) => each.code === code)
  if (diagnostic === undefined) throw new Error(`No ${code} in ${JSON.stringify(contract.diagnostics)}`)
  return quickFixes(diagnostic, contract, PROBES).map((fix) => [fix.name, fix.apply(source)])
}

function task(line: string): string {
  return `\uFEFF# A\r\n\r\n## Tasks\r\n- [ ] other | Other | tests.ok\r\n${line}\n\n## End`
}

describe('a quick fix', () => {
  it.each<[string, string, string, string]>([
    ['duplicate-id', '- [ ] other | B | tests.ok', 'Name it other_2', '- [ ] other_2 | B | tests.ok'],
    [
      'empty-id',
      '- [ ] | Read the mail | tests.ok',
      'Name it read_the_mail',
      '- [ ] read_the_mail | Read the mail | tests.ok',
    ],
    [
      'bad-max-attempts',
      '- [ ] b | B | tests.ok | max_attempts: x',
      'Set max_attempts: 3',
      '- [ ] b | B | tests.ok | max_attempts: 3',
    ],
    [
      'two-hints',
      '- [ ] b | B | tests.ok | email_count > 0 | optional',
      'Join both with &&',
      '- [ ] b | B | optional | verify: tests.ok && email_count > 0',
    ],
    [
      'unknown-probe',
      '- [ ] b | B | mail_count > 0 && tests.mail_count > 0',
      'Change mail_count to email_count',
      '- [ ] b | B | verify: email_count > 0 && tests.mail_count > 0',
    ],
    [
      'broken-hint',
      '- [ ] b | B | verify: email_count = 0',
      'Write email_count == 0',
      '- [ ] b | B | verify: email_count == 0',
    ],
    [
      'broken-hint',
      '- [ ] b | B | verify: exists("a"',
      'Write exists("a")',
      '- [ ] b | B | verify: exists("a")',
    ],
    [
      'vague-hint',
      '- [ ] b | Write notes/b.md',
      'Ask that notes/b.md changes',
      '- [ ] b | Write notes/b.md | verify: changed("notes/b.md")',
    ],
    [
      'vague-hint',
      '- [ ] b | Sort the email',
      'Ask the probe email_count',
      '- [ ] b | Sort the email | verify: email_count',
    ],
    ['malformed-task', '- b | B', 'Start it with “- [ ]”', '- [ ] b | B'],
    ['malformed-task', '-[ ] b | B', 'Start it with “- [ ]”', '- [ ] b | B'],
    ['malformed-task', '•\u00a0[X]b | B', 'Start it with “- [ ]”', '- [x] b | B'],
    ['malformed-task', '[ ] b | B', 'Start it with “- [ ]”', '- [ ] b | B'],
    ['malformed-task', '- [] b | B', 'Start it with “- [ ]”', '- [ ] b | B'],
    ['malformed-task', '1. [x] b | B', 'Start it with “- [ ]”', '- [x] b | B'],
  ])('for %s in %s: %s', (code, line, name, fixed) => {
    const found = fixes(code, task(line))
    expect(found[0]).toEqual([name, task(fixed)])
    const codes = (source: string) =>
      parseContract(source, { probeNames: PROBES }).diagnostics.filter((each) => each.code === code)
    expect(codes(found[0]?.[1] ?? '').length).toBeLessThan(codes(task(line)).length)
  })

  it('for a box outside the section removes the box', () => {
    expect(fixes('checkbox-outside-tasks', '- [ ] a\r\n\r\n## Tasks\r\n- [ ] b | B\r\n')).toEqual([
      ['Remove its box', '- a\r\n\r\n## Tasks\r\n- [ ] b | B\r\n'],
    ])
  })

  it('for a contract without tasks adds a first one', () => {
    const [fix] = fixes('no-tasks', '# A\r\n')
    expect(fix?.[1]).toContain('# A\r\n\r\n## Tasks\r\n\r\n- [ ] first_task | ')
  })

  it('does nothing to a line that is only indented too far, because its parent is not obvious', () => {
    expect(fixes('malformed-task', task('- [ ] b | B\n\t\t- [ ] c | C'))[0]?.[1]).toBeNull()
  })

  it('is not offered if it is not obvious', () => {
    expect(fixes('unknown-probe', task('- [ ] b | B | weather == 1'))).toEqual([])
    expect(fixes('broken-hint', task('- [ ] b | B | verify: ]['))).toEqual([])
    expect(
      fixes(
        'too-many-tasks',
        `## Tasks\n${Array.from({ length: 8 }, (_, n) => `- [ ] t${n} | T | tests.ok\n`).join('')}`,
      ),
    ).toEqual([])
  })
})
