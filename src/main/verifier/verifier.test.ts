import { afterEach, beforeEach, expect, it } from 'vitest'
import { parseHint } from '../../core/contract/hint.ts'
import type { ReuseCheck } from '../ports/check-memory.ts'
import type { Log } from '../ports/log.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import {
  createTemporaryWorkspace,
  type TemporaryWorkspace,
  untilTheEnd,
} from './testing/temporary-workspace.ts'
import { createVerifier, type VerifierOptions } from './verifier.ts'

let workspace: TemporaryWorkspace
let warnings: unknown[]
beforeEach(async () => {
  workspace = await createTemporaryWorkspace()
  warnings = []
})
afterEach(() => workspace.remove())

type Config = Pick<WorkspaceConfig, 'probes' | 'gates' | 'judge' | 'approvedCommands'>
const log: Log = { info: () => {}, warn: (_, fields) => warnings.push(fields), error: () => {} }
const probe = { parse: 'number', path: null, timeoutMs: 10_000 } as const

function verifier(config: Partial<Config> = {}, options: Partial<VerifierOptions> = {}) {
  return createVerifier({
    directory: workspace.directory,
    config: {
      probes: {},
      gates: { commands: [], timeoutMs: 10_000 },
      judge: null,
      approvedCommands: [],
      ...config,
    },
    clock: workspace.world.clock,
    log,
    ...options,
  })
}

it('reads each probe once, all in parallel, and names unknown ones', async () => {
  // Each waits for the other to begin: run one after the other, they would never end.
  const meet = (own: string, other: string) =>
    `echo x >> ${own}; while [ ! -e ${other} ]; do sleep 0.01; done; wc -l < ${own}`
  const one = await workspace.script('one.sh', meet('one', 'two'))
  const two = await workspace.script('two.sh', meet('two', 'one'))
  const probes = {
    one: { ...probe, source: { kind: 'command', command: one } },
    two: { ...probe, source: { kind: 'command', command: two } },
  } as const
  expect(await verifier({ probes }).readProbes(['one', 'two', 'one', 'toString'], untilTheEnd())).toEqual([
    { kind: 'value', name: 'one', value: 1 },
    { kind: 'value', name: 'two', value: 1 },
    {
      kind: 'unreadable',
      name: 'toString',
      reason: 'there is no probe toString',
      configured: false,
      fault: 'contract',
    },
  ])
})

it('logs a probe that cannot be read', async () => {
  const probes = { gone: { ...probe, source: { kind: 'file', file: 'gone' } } } as const
  await verifier({ probes }).readProbes(['gone'], untilTheEnd())
  expect(warnings).toEqual([{ probe: 'gone', reason: 'gone does not exist' }])
})

it('evaluates a check as the contract gives it', async () => {
  await workspace.write('count', '3')
  const probes = { email_count: { ...probe, source: { kind: 'file', file: 'count' } } } as const
  const hint = parseHint('email_count > 0 && changed("notes/*") && succeeds("true")', ['email_count'])
  if (hint.kind !== 'expression') throw new Error(`a ${hint.kind} hint`)
  const subject = verifier({ probes, approvedCommands: ['true'] })
  const readings = await subject.readProbes(hint.probes, untilTheEnd())
  expect(await subject.evaluate(hint, readings, ['notes/a.md'], untilTheEnd())).toEqual({
    kind: 'value',
    holds: true,
    byExitCodeAlone: ['true'],
  })
  expect(await subject.evaluate(hint, readings, [], untilTheEnd())).toEqual({ kind: 'value', holds: false })
})

it('has no judge unless one is configured', async () => {
  const question = {
    taskId: 'tidy',
    description: 'Tidy',
    criteria: [],
    claim: { status: null, values: {}, files: [], evidence: [], exitSignal: null, source: 'none', notes: [] },
    difference: { added: [], modified: [], deleted: [], renamed: [], headMoved: null, incomplete: null },
    output: '',
  } as const
  expect(await verifier().judge(question, untilTheEnd())).toBeNull()
  const judge = { command: await workspace.script('judge', 'exit 1'), timeoutMs: 10_000 }
  expect(await verifier({ judge }).judge(question, untilTheEnd())).toMatchObject({ kind: 'unavailable' })
  expect(warnings).toHaveLength(1)
})

it('runs the gates', async () => {
  const gates = { commands: [['true'], ['false']], timeoutMs: 10_000 }
  const results = await verifier({ gates }).runGates(untilTheEnd())
  expect(results.map(({ status }) => status)).toEqual(['passed', 'failed'])
})

it('uses kept answers of checks that read the current tree, and of no others', async () => {
  const source = { kind: 'command', command: ['echo', '1'] } as const
  const probes = {
    any: { ...probe, source },
    files: { ...probe, source, reads: 'tree' },
    report: { ...probe, source, parse: 'tap' },
    service: { ...probe, source, parse: 'tap', reads: 'world' },
  } as const
  const gates = { commands: [['node', '--test', 'none.test.js'], ['true']], timeoutMs: 10_000 }
  const approvedCommands = ['node --test none.test.js', 'true']
  const hint = parseHint('succeeds("node --test none.test.js") || succeeds("true")', [])
  if (hint.kind !== 'expression') throw new Error('It is an expression')
  const askedWith = async (options: Partial<VerifierOptions>) => {
    const asked: string[] = []
    const reuse: ReuseCheck = (check, run) => {
      asked.push(`${check.kind} ${check.name}`)
      return run()
    }
    const there = verifier({ probes, gates, approvedCommands }, { ...options, reuse })
    await there.readProbes(Object.keys(probes), untilTheEnd())
    await there.evaluate(hint, [], [], untilTheEnd())
    await there.runGates(untilTheEnd())
    return asked
  }
  const ofTree = [
    'probe files',
    'probe report',
    'command node --test none.test.js',
    'gate node --test none.test.js',
  ]
  expect(await askedWith({})).toEqual(ofTree)
  expect(await askedWith({ earlier: { write: [], remove: [] } })).toEqual([])
})
