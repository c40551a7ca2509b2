import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { offerOwnNode } from './offer-own-node.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pulseward-own-node-'))
  mkdirSync(join(folder, 'theirs'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const own = { program: '/opt/ours/node', env: {} }

test('if no node is found, ours is last on PATH', () => {
  const environment: NodeJS.ProcessEnv = { PATH: join(folder, 'theirs') }
  offerOwnNode(environment, own, environment.PATH)
  expect(environment.PATH?.split(delimiter)).toEqual([join(folder, 'theirs'), '/opt/ours'])
})

test('if the operator has a node, that one is used and PATH is unchanged', () => {
  const program = join(folder, 'theirs', 'node')
  writeFileSync(program, '')
  chmodSync(program, 0o755)
  const environment: NodeJS.ProcessEnv = { PATH: join(folder, 'theirs') }
  offerOwnNode(environment, own, environment.PATH)
  expect(environment.PATH).toBe(join(folder, 'theirs'))
})

test('Electron in a checkout is not offered as a node', () => {
  const environment: NodeJS.ProcessEnv = { PATH: join(folder, 'theirs') }
  const electron = { program: '/opt/electron/electron', env: { ELECTRON_RUN_AS_NODE: '1' } }
  offerOwnNode(environment, electron, environment.PATH)
  expect(environment.PATH).toBe(join(folder, 'theirs'))
})
