import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { settle } from './linux-tree.ts'
import { makeArchive, makeDeb, makeRpm } from './packages.ts'
import type { Plan } from './plan.ts'
import { run } from './run.ts'

const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** Lays out a small installation in a new folder, under a different umask each time. */
function laidOut(umask: number): { readonly plan: Plan; readonly tree: string; readonly work: string } {
  const folder = mkdtempSync(join(tmpdir(), 'pulseward-packages-'))
  folders.push(folder)
  const before = process.umask(umask)
  const tree = join(folder, 'tree')
  const app = join(tree, 'usr/lib/pulseward')
  mkdirSync(app, { recursive: true })
  mkdirSync(join(tree, 'usr/bin'))
  writeFileSync(join(app, 'chrome-sandbox'), 'helper')
  writeFileSync(join(app, 'pulseward'), '#!/bin/sh\n')
  chmodSync(join(app, 'pulseward'), 0o700)
  symlinkSync('../lib/pulseward/pulseward', join(tree, 'usr/bin/pulseward'))
  for (const name of ['pulseward', 'doc/pulseward']) {
    mkdirSync(join(tree, 'usr/share', name), { recursive: true })
    writeFileSync(join(tree, 'usr/share', name, 'file'), name)
  }
  process.umask(before)
  const root = join(import.meta.dirname, '..')
  const plan: Plan = {
    root,
    dist: join(folder, 'dist'),
    version: '1.2.3',
    arch: 'x64',
    epoch: 1_700_000_000,
    electron: '',
    electronVersion: '0',
    node: '',
  }
  mkdirSync(plan.dist)
  settle(tree, plan)
  return { plan, tree, work: join(folder, 'work') }
}

function has(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0
}

test.skipIf(!has('dpkg-deb'))('a .deb is the same when built again, and keeps the modes', () => {
  const [one, other] = [laidOut(0o022), laidOut(0o077)].map(({ plan, tree }) =>
    join(plan.dist, makeDeb(plan, tree)),
  ) as [string, string]
  expect(readFileSync(one).equals(readFileSync(other))).toBe(true)
  const listed = run('dpkg-deb', ['--contents', one])
  expect(listed).toMatch(/^-rwsr-xr-x root\/root .*chrome-sandbox$/m)
  expect(listed).toMatch(/^-rwxr-xr-x root\/root .*lib\/pulseward\/pulseward$/m)
})

test.skipIf(!has('rpmbuild'))('a .rpm is the same when built again, and keeps the modes', () => {
  const [one, other] = [laidOut(0o022), laidOut(0o077)].map(({ plan, tree, work }) =>
    join(plan.dist, makeRpm(plan, tree, work)),
  ) as [string, string]
  expect(readFileSync(one).equals(readFileSync(other))).toBe(true)
  expect(run('rpm', ['-qplv', one])).toMatch(/^-rwsr-xr-x .* root +root .*chrome-sandbox$/m)
})

test.skipIf(process.platform !== 'linux')('the archive is the same when packed again', () => {
  const [one, other] = [laidOut(0o022), laidOut(0o077)].map(({ plan, tree, work }) =>
    join(plan.dist, makeArchive(plan, join(tree, 'usr/lib/pulseward'), work)),
  ) as [string, string]
  expect(readFileSync(one).equals(readFileSync(other))).toBe(true)
})
