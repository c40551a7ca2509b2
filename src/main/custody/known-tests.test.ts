import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestReport } from '../../core/reports/test-report.ts'
import { KnownTestsFile } from './known-tests.ts'

let directory: string
const quiet = { warn: () => {} }
const open = (): KnownTestsFile => new KnownTestsFile(directory, quiet)

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'known-tests-'))
})
afterEach(() => rm(directory, { recursive: true, force: true }))

function passing(...passed: string[]): ReadonlyMap<string, TestReport> {
  const count = passed.length
  const names = { passed, failed: [], skipped: [] }
  const report = {
    passed: count,
    failed: 0,
    skipped: 0,
    executed: count,
    total: count,
    names,
    areNamesCut: false,
  }
  return new Map([['tests', report]])
}

async function verifiedWith(...executed: string[]): Promise<void> {
  const file = open()
  await file.judged('a-1', { standing: 'known', runs: new Map([['tests', { executed, lost: [] }]]) })
  await file.leftAs('as left')
}

const known = async () => (await open().read()).get('tests')?.names

test('forgets a test that the operator removed while no agent ran', async () => {
  await verifiedWith('a', 'b')
  await open().saw(passing('a'), 'touched')
  expect(await known()).toEqual(['a'])
})

test('still knows a test that an attempt removed before it was cut off', async () => {
  await verifiedWith('a', 'b')
  await open().cutOff()
  await open().saw(passing('a'), 'touched')
  expect(await known()).toEqual(['a', 'b'])
})
