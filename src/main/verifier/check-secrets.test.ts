import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
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
 * Checks run what agents write. Tests what they get of the operator's environment, and what an operator is told whose check
 * lacks a variable.
 */

let workspace: TemporaryWorkspace
beforeEach(async () => {
  workspace = await createTemporaryWorkspace()
  vi.stubEnv('DEPLOY_TOKEN', 'the-deploy-secret')
  vi.stubEnv('DATABASE_URL', 'postgres://app:the-database-secret@db/app')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await workspace.remove()
})

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
