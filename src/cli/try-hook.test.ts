import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
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
  // Runs from the sources, so that the test needs no build.
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
  it('sends the liar back, and lets the honest turn end', async () => {
    await installHook(place, 'claude', undefined)
    expect(await tried()).toEqual({
      ...{ agent: 'claude', liar: 'refused', honest: 'let through', passed: true, because: null },
      ...{ by: 'recorded input', program: null, notRun: '`claude` is not on PATH' },
      durationMs: expect.any(Number),
    })
  })

  it('runs the entry in the settings, even if someone changed it', async () => {
    await installHook(place, 'claude', undefined)
    edit((text) => text.replaceAll('"command": "', '"command": "true || '))
    expect(await tried()).toMatchObject({ liar: 'not called', honest: 'not called', passed: false })
  })

  it('fails if there is no entry', async () => {
    expect(await tried()).toMatchObject({
      ...{ liar: 'not called', passed: false, because: expect.stringContaining('no entry') },
    })
  })

  it('fails if the program is configured not to call it', async () => {
    await installHook(place, 'claude', undefined)
    edit((text) => text.replace('{', '{"disableAllHooks": true,'))
    expect(await tried()).toMatchObject({
      ...{ passed: false, because: expect.stringContaining('disableAllHooks') },
    })
  })
})

/*
 * A minimal stand-in for a program with a model and a hook: it asks the model named in its environment, writes what that says, and calls
 * the `Stop` hook of its settings until it may end. `WRONG` breaks one part of it.
 */
const PROGRAM = `#!${process.execPath}
const { execFileSync } = require('node:child_process')
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
if (process.argv[2] === '--version') return console.log('1.2.3 (Claude Code)')
appendFileSync(WITNESS, JSON.stringify({ env: process.env, cwd: process.cwd(), args: process.argv.slice(2) }) + '\\n')
const { hooks } = JSON.parse(readFileSync(process.env.CLAUDE_CONFIG_DIR + '/settings.json', 'utf8'))
const call = (event, more) => {
  const input = JSON.stringify({ session_id: String(process.pid), cwd: process.cwd(), ...more })
  return execFileSync('sh', ['-c', hooks[event][0].hooks[0].command], { input, encoding: 'utf8' })
}
const tools = [{ name: 'Write', input_schema: {} }]
async function work() {
  const messages = [{ role: 'user', content: process.argv[3] }]
  if (WRONG !== 'silent') call('SessionStart', {})
  for (;;) {
    const asked = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', body: JSON.stringify({ messages, tools }) })
    const { content } = await asked.json()
    messages.push({ role: 'assistant', content })
    const use = content.find(({ type }) => type === 'tool_use')
    if (use !== undefined) {
      if (WRONG !== 'idle') writeFileSync(use.input.file_path, use.input.content)
      messages.push({ role: 'user', content: [{ type: 'tool_result', tool_use_id: use.id, content: 'written' }] })
      continue
    }
    if (WRONG === 'silent') return
    const answer = call('Stop', { stop_hook_active: messages.length > 4, last_assistant_message: content[0].text })
    if (answer === '' || WRONG === 'deaf') return
    messages.push({ role: 'user', content: JSON.parse(answer).reason })
  }
}
work()
`

describe.skipIf(process.platform === 'win32')('a trial by the program', { timeout: 120_000 }, () => {
  const witness = () => join(root, 'witness.jsonl')
  const program = (wrong = '') => {
    const path = join(root, 'bin/claude')
    mkdirSync(join(root, 'bin'), { recursive: true })
    const given = `const WRONG = ${JSON.stringify(wrong)}, WITNESS = ${JSON.stringify(witness())}\n`
    writeFileSync(path, PROGRAM.replace('\n', `\n${given}`))
    chmodSync(path, 0o755)
    const PATH = `${join(root, 'bin')}:${process.env.PATH}`
    place = { ...place, environment: { PATH, ANTHROPIC_API_KEY: 'the-users', HTTPS_PROXY: 'http://users' } }
    return path
  }

  it('sends the liar back once and does not block the honest one', async () => {
    const path = program()
    await installHook(place, 'claude', undefined)
    expect(await tried()).toMatchObject({
      ...{ by: 'program', program: { path, version: '1.2.3' }, notRun: null, because: null },
      ...{ liar: 'refused', honest: 'let through', passed: true },
    })
  })

  it('passes none of the user’s settings to the program, and changes none', async () => {
    program()
    await installHook(place, 'claude', undefined)
    edit((text) => text.replace('{', '{"env": {"ANTHROPIC_BASE_URL": "https://users"},'))
    const before = readFileSync(settings(), 'utf8')
    await tried()
    const runs = readFileSync(witness(), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(runs).toHaveLength(2)
    for (const { env, cwd } of runs) {
      expect(env).toMatchObject({
        ANTHROPIC_API_KEY: 'dummy',
        ANTHROPIC_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
        HTTPS_PROXY: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
      })
      expect(Object.entries(env).filter(([, value]) => String(value).startsWith(`${root}/home`))).toEqual([])
      // Those variables set up the trial; everything else of this process must stay out.
      expect(Object.keys(env)).not.toContain('VITEST')
      expect(existsSync(cwd)).toBe(false)
    }
    expect(readFileSync(settings(), 'utf8')).toBe(before)
    expect(readdirSync(join(root, 'home'), { recursive: true }).toSorted()).toEqual([
      '.claude',
      '.claude/settings.json',
    ])
  })

  it('fails if the program never calls the hook', async () => {
    program('silent')
    await installHook(place, 'claude', undefined)
    expect(await tried()).toMatchObject({ liar: 'not called', honest: 'not called', passed: false })
  })

  it('fails if the program ends although it was sent back', async () => {
    program('deaf')
    await installHook(place, 'claude', undefined)
    expect(await tried()).toMatchObject({
      ...{ liar: 'refused', passed: false, because: 'it was sent back, and ended all the same' },
    })
  })

  it('fails if the program did nothing that could be judged', async () => {
    program('idle')
    await installHook(place, 'claude', undefined)
    expect(await tried()).toMatchObject({ passed: false, because: expect.stringContaining('did not write') })
  })

  it('runs the entries in the settings, even if someone changed one', async () => {
    program()
    await installHook(place, 'claude', undefined)
    edit((text) => text.replaceAll('"command": "', '"command": "true || '))
    expect(await tried()).toMatchObject({ by: 'program', liar: 'not called', passed: false })
  })
})
