import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createOutsideCustody } from './outside-custody.ts'

it('prints another text when a setting outside of the tree changes, and none before it has looked', async () => {
  const root = mkdtempSync(join(tmpdir(), 'pulseward-outside-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const top = join(root, 'w')
  mkdirSync(top)
  const custody = createOutsideCustody(root, { has: async () => () => false }, { warn: () => {} })
  expect(custody.print()).toBe('')
  const counts = (text: string) => text.split('#')[0] ?? ''
  await custody.begin({ files: [{ path: '.runnerrc', from: 'above', counts }], top, python: false })
  const before = custody.print()
  writeFileSync(join(root, '.runnerrc'), 'fewer tests')
  const after = custody.print()
  expect(after).not.toBe(before)
  writeFileSync(join(root, '.runnerrc'), 'fewer tests# a remark')
  expect(custody.print()).toBe(after)
})
