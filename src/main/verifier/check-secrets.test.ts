import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NO_CLAIM } from '../../core/claims/types.ts'
import { EMPTY_DIFFERENCE } from '../../core/verification/types.ts'
import { runGates } from './gates.ts'
import { askJudge } from './judge.ts'
import { readProbe } from './read-probe.ts'
import {
  createTemporaryWorkspace,
  type TemporaryWorkspace,
  untilTheEnd,
} from './testing/temporary-workspace.ts'

/*
 * Checks run code that agents wrote. Tests what they get from the operator's environment, and what the operator is told if a check lacks a
 * variable.
 */

let workspace: TemporaryWorkspace
beforeEach(async () => {
  workspace = await createTemporaryWorkspace()
  vi.stubEnv('DEPLOY_TOKEN', 'the-deploy-secret')
  vi.stubEnv('DATABASE_URL', 'postgres://app:the-database-secret@db/app')
})
afterEach(() => workspace.remove())

const DUMP = 'env > seen; exit 1'

async function seen(): Promise<string> {
  return readFile(join(workspace.directory, 'seen'), 'utf8')
}

async function gate(body: string, secrets: readonly string[] = []) {
  const command = await workspace.script('gate', body)
  const gates = { commands: [command], timeoutMs: 10_000, secrets: [secrets] }
  const [result] = await runGates(gates, workspace.world, untilTheEnd())
  return result
}

async function probe(body: string, envFrom: readonly string[] = []) {
  const command = await workspace.script('probe', body)
  const config = {
    source: { kind: 'command', command },
    parse: 'number',
    path: null,
    timeoutMs: 10_000,
  } as const
  return readProbe('p', { ...config, envFrom }, workspace.world, untilTheEnd())
}

async function judge(body: string, envFrom: readonly string[] = []) {
  const command = await workspace.script('judge', body)
  const question = {
    taskId: 't',
    description: 'd',
    criteria: [],
    claim: NO_CLAIM,
    difference: EMPTY_DIFFERENCE,
    output: '',
  }
  return askJudge({ command, timeoutMs: 10_000, envFrom }, question, workspace.world, untilTheEnd())
}

it.each([
  ['gate', gate],
  ['probe', probe],
  ['judge', judge],
] as const)('a %s sees no secret of the operator’s, except those named for it', async (_, run) => {
  await run(DUMP)
  expect(await seen()).not.toMatch(/DEPLOY_TOKEN|DATABASE_URL|the-(?:deploy|database)-secret/)
  await run(DUMP, ['DEPLOY_TOKEN'])
  expect(await seen()).toContain('DEPLOY_TOKEN=the-deploy-secret')
  expect(await seen()).not.toContain('the-database-secret')
})

it.each([
  ['a gate that names it', gate, 'echo "DEPLOY_TOKEN is not set" >&2; exit 1'],
  ['a gate that was denied access', gate, 'echo "HTTP 401 Unauthorized"; exit 22'],
  ['a probe that names it', probe, 'echo "set DEPLOY_TOKEN" >&2; exit 1'],
  ['a judge that was denied access', judge, 'echo "not logged in"; exit 1'],
] as const)(
  '%s: the reason names the withheld variable and how to pass it on, without its value',
  async (_, run, body) => {
    const words = JSON.stringify(await run(body))
    expect(words).toMatch(/DEPLOY_TOKEN.* withheld from it/)
    expect(words).toContain('env_from = [')
    expect(words).not.toContain('the-deploy-secret')
  },
)

it('says nothing about variables if a check failed for another reason, or got what it names', async () => {
  expect(JSON.stringify(await gate('echo "2 tests failed"; exit 1'))).not.toContain('withheld')
  expect(JSON.stringify(await gate('echo "DEPLOY_TOKEN is stale"; exit 1', ['DEPLOY_TOKEN']))).not.toContain(
    'withheld',
  )
})

describe('a failed gate seems to lack a variable', () => {
  it.each([
    ['that it reports as not set', 'echo "DEPLOY_TOKEN is not set" >&2; exit 3'],
    ['that its shell reports as missing', ': "${DEPLOY_TOKEN:?}"'],
    ['that it asks for', 'echo "Please set the DEPLOY_TOKEN environment variable"; exit 3'],
    ['that its script uses, without a message', 'test -n "$DEPLOY_TOKEN"'],
    ['that its script uses before access is denied', ': "$DEPLOY_TOKEN"; echo "HTTP 401"; exit 3'],
  ])('%s', async (_, body) => {
    expect(await gate(body)).toMatchObject({ status: 'failed', lacking: { variables: ['DEPLOY_TOKEN'] } })
    expect(await gate(body, ['DEPLOY_TOKEN', 'DATABASE_URL'])).not.toHaveProperty('lacking')
  })

  it.each([
    ['if it continues without it', 'echo "warning: DEPLOY_TOKEN is not set"; echo "2 tests failed"; exit 1'],
    ['if it only names it', 'echo "DEPLOY_TOKEN was rotated"; echo "2 tests failed"; exit 1'],
    [
      'if its script uses it but fails for another reason',
      ': "$DEPLOY_TOKEN"; echo "2 tests failed"; exit 1',
    ],
    ['if it only prints 401 for a failed test', 'echo "expected 401, got 200"; exit 1'],
    ['that is not in the environment', 'echo "OTHER_TOKEN is not set"; exit 1'],
    ['if it passes', 'echo "DEPLOY_TOKEN is not set"'],
  ])('not %s', async (_, body) => {
    expect(await gate(body)).not.toHaveProperty('lacking')
  })

  it('as a probe does if its exit code is the value, but not for a value', async () => {
    const command = await workspace.script('probe', 'echo "DEPLOY_TOKEN is not set"; exit 3')
    const config = {
      source: { kind: 'command', command },
      parse: 'exit',
      path: null,
      timeoutMs: 10_000,
    } as const
    expect(await readProbe('p', config, workspace.world, untilTheEnd())).toEqual({
      kind: 'value',
      name: 'p',
      value: 3,
      lacking: { variables: ['DEPLOY_TOKEN'], exitCode: 3 },
    })
  })
})
