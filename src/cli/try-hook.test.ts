import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type InstallationPlace, installHook } from '../main/sessions/installation.ts'
import { tryHook } from './try-hook.ts'

let root = ''
let place: InstallationPlace
const settings = () => join(root, 'home/.claude/settings.json')

beforeEach(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'pulseward-try-')))
  mkdirSync(join(root, 'home'))
  // Unbuilt, so that the test needs no build.
  const hook = pathToFileURL(join(import.meta.dirname, 'thin-hook.ts')).href
  writeFileSync(join(root, 'hook.js'), `void import(${JSON.stringify(hook)})\n`)
  place = {
    ...{ home: join(root, 'home'), environment: {}, dataDirectory: join(root, 'data'), nowMs: Date.now },
    ...{ script: join(root, 'hook.js'), node: { program: process.execPath, env: {} } },
  }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const tried = () =>
  tryHook(
    'claude',
    place,
    { sampleDirectory: join(import.meta.dirname, '../../resources/sample'), version: '0.0.0' },
    new AbortController().signal,
  )
const edit = (change: (text: string) => string) =>
  writeFileSync(settings(), change(readFileSync(settings(), 'utf8')))

describe('a trial of the installed hook', { timeout: 120_000 }, () => {
  it('sends the liar back, and lets the honest turn through', async () => {
    await installHook(place, 'claude', undefined)
    expect(await tried()).toEqual({
      ...{ agent: 'claude', liar: 'refused', honest: 'let through', passed: true, because: null },
    })
  })

  it('runs the entry that the settings name, though someone changed it', async () => {
    await installHook(place, 'claude', undefined)
    edit((text) => text.replaceAll('"command": "', '"command": "true || '))
    expect(await tried()).toMatchObject({ liar: 'not called', honest: 'not called', passed: false })
  })

  it('fails if there is no entry', async () => {
    expect(await tried()).toMatchObject({
      ...{ liar: 'not called', passed: false, because: expect.stringContaining('no entry') },
    })
  })

  it('fails where the program is told not to call it', async () => {
    await installHook(place, 'claude', undefined)
    edit((text) => text.replace('{', '{"disableAllHooks": true,'))
    expect(await tried()).toMatchObject({
      ...{ passed: false, because: expect.stringContaining('disableAllHooks') },
    })
  })
})
