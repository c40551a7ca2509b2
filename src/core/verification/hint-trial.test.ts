import { expect, it } from 'vitest'
import { parseHint } from '../contract/hint.ts'
import { describeHintTrial } from './hint-trial.ts'
import type { ExpressionResult, ProbeReading } from './types.ts'

function trial(source: string, probes: readonly ProbeReading[], expression: ExpressionResult | null = null) {
  const hint = parseHint(
    source,
    probes.map(({ name }) => name),
  )
  return describeHintTrial(hint, { probes, expression }, false)
}

const mail: ProbeReading = { kind: 'value', name: 'mail', value: 3 }

it('says that a false expression is false and must pass after the attempt', () => {
  expect(trial('mail > 5', [mail], { kind: 'value', holds: false })).toEqual({
    holds: false,
    finding: '`mail > 5` fails now.',
    needs: 'It must pass after the attempt, no matter what the agent says.',
    problem: null,
  })
})

it('reports that an expression that is already true asks for nothing', () => {
  const words = trial('mail > 1', [mail], { kind: 'value', holds: true })
  expect(words).toMatchObject({ holds: true, needs: expect.stringContaining('already') })
})

it('says that no attempt has run, for a check that asks what changed', () => {
  const words = trial('changed("a.md")', [], { kind: 'value', holds: false })
  expect(words.finding).toContain('No attempt has run')
})

it('neither passes nor fails a bare probe without a claim, and names the value to claim', () => {
  expect(trial('mail', [mail])).toEqual({
    holds: null,
    finding: '`mail` reads 3 now.',
    needs: 'The agent has to claim what `mail` reads after its attempt: today that would be 3.',
    problem: null,
  })
})

it.each<[string, string, readonly ProbeReading[], ExpressionResult | null, string]>([
  ['a check that cannot be parsed', 'mail >', [mail], null, 'Correct the check in HEARTBEAT.md.'],
  [
    'a probe that cannot be read',
    'mail',
    [{ kind: 'unreadable', name: 'mail', reason: 'exit code 1', configured: true }],
    null,
    'Check [probes.mail] in pulseward.toml.',
  ],
  [
    'an expression that cannot be evaluated',
    'mail > 1',
    [mail],
    { kind: 'error', reason: 'no', fault: 'contract' },
    'Correct the check in HEARTBEAT.md or its probes in pulseward.toml.',
  ],
])('gives the remedy for %s', (_name, source, probes, expression, problem) => {
  const words = trial(source, probes, expression)
  expect(words).toMatchObject({ holds: null, problem, needs: expect.stringContaining('unclear') })
})

it('says who decides about words, which measure nothing', () => {
  const hint = parseHint('the report is there', [])
  const nothing = { probes: [], expression: null }
  expect(describeHintTrial(hint, nothing, false).needs).toContain('name files')
  expect(describeHintTrial(hint, nothing, true).needs).toContain('judge')
})
