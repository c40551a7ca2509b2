import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { HOOK_EVENTS, HOOK_SECONDS, programSeconds } from '../../core/vocabulary/hook-event.ts'
import type { HookedAgent } from '../../core/vocabulary/session.ts'
import { HOOK_PROGRAMS } from './programs.ts'

const isOff = (agent: HookedAgent, text: string): boolean =>
  HOOK_PROGRAMS[agent].switches.some((one) => one.isOff(text) !== null)

describe('settings of a project', () => {
  it.each<readonly [HookedAgent, string]>([
    ['claude', '{"disableAllHooks":true}'],
    ['claude', '\uFEFF{\n  // quiet\n  "disableAllHooks": true,\n}'],
    ['claude', '{"disableAllHooks":"true"}'],
    ['claude', '{"env":{"PULSEWARD_SUPERVISOR":"x"}}'],
    ['copilot', '{"disableAllHooks":true}'],
    ['gemini', '{"hooksConfig":{"enabled":false}}'],
    ['gemini', '{"tools":{"enableHooks":false /* */}}'],
    ['gemini', '{"hooksConfig":{"disabled":["x","pulseward"]}}'],
    ['codex', '[features]\nhooks = false'],
    ['codex', 'features = { hooks = false }'],
    ['codex', 'features."hooks" = false # off'],
    ['codex', '[ features ] # mine\n\n"codex_hooks"=false\n[other]\nx = 1'],
    ['gemini', 'PORT=80\nexport PULSEWARD_SUPERVISOR=x'],
    ['qwen', '{"disableAllHooks":true}'],
    ['qwen', '{"env":{"PULSEWARD_SUPERVISOR":"x"}}'],
    ['qwen', 'PULSEWARD_SUPERVISOR: x'],
    ['gemini', 'PORT=80\nLD_PRELOAD=./quiet.so'],
    ['qwen', 'export LD_AUDIT="quiet.so"'],
    ['claude', '{"env":{"DYLD_INSERT_LIBRARIES":"./quiet.dylib"}}'],
    ['qoder', '{"disableAllHooks":1}'],
  ])('of %s switch hooks off: %s', (agent, text) => {
    expect(isOff(agent, text)).toBe(true)
  })

  it.each<readonly [HookedAgent, string]>([
    ['claude', '{"disableAllHooks":false}'],
    ['claude', '{"disableAllHooks":"no"}'],
    ['claude', '{"disableAllHooks":null}'],
    ['claude', '{"disableAllHooks":{}}'],
    ['claude', '{"x":{"disableAllHooks":true}}'],
    ['claude', '// "disableAllHooks": true\n{}'],
    ['claude', '{"env":{"PATH":"/bin"}}'],
    ['claude', '{ broken'],
    ['claude', 'null'],
    ['gemini', '{"hooksConfig":{"enabled":true,"disabled":["other"]}}'],
    ['gemini', '{"hooksConfig":false}'],
    ['gemini', '# PULSEWARD_SUPERVISOR=x\nPORT=80\nMY_PULSEWARD_SUPERVISOR=x'],
    ['qwen', 'NODE_OPTIONS=--max-old-space-size=8192'],
    ['qwen', 'LD_PRELOAD=/usr/lib/libjemalloc.so.2\nBASH_ENV=./setup.sh\nLD_AUDIT=""\n'],
    ['claude', '{"env":{"LD_PRELOAD":"/usr/lib/libjemalloc.so.2","LD_AUDIT":""}}'],
    ['codex', '[features]\nhooks = true'],
    ['codex', '[other]\nhooks = false'],
    ['codex', '[features]\n# hooks = false'],
    ['codex', '[features]\nnote = """\nhooks = false\n"""'],
    ['codex', '[features'],
  ])('of %s leave them on: %s', (agent, text) => {
    expect(isOff(agent, text)).toBe(false)
  })
})

it.each(HOOK_EVENTS)('gives the program five seconds more than the hook for %s', (event) => {
  expect(programSeconds(event)).toBe(HOOK_SECONDS[event] + 5)
  const entry = HOOK_PROGRAMS.claude.entry('command', event)
  expect(entry).toMatchObject({ hooks: [{ timeout: programSeconds(event) }] })
  for (const agent of ['gemini', 'qwen'] as const)
    expect(HOOK_PROGRAMS[agent].entry('command', event)).toMatchObject({
      hooks: [{ timeout: programSeconds(event) * 1000 }],
    })
})

it('passes the words of a prompt on from OpenCode, where a task can be named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pulseward-plugin-'))
  try {
    const heard = join(folder, 'heard.json')
    const path = join(folder, 'plugin.mjs')
    writeFileSync(path, HOOK_PROGRAMS.opencode.text?.({ prompt: `cat > ${heard}` }) ?? '')
    const { Pulseward } = (await import(pathToFileURL(path).href)) as {
      Pulseward: (given: object) => Promise<Record<string, (...given: object[]) => Promise<void>>>
    }
    const hooks = await Pulseward({ client: {}, directory: '/work' })
    const parts = [{ type: 'file' }, { type: 'text', text: 'Task: fix_mul' }]
    await hooks['chat.message']?.({ sessionID: 's' }, { parts })
    expect(JSON.parse(readFileSync(heard, 'utf8'))).toEqual({
      ...{ session_id: 's', cwd: '/work', prompt: 'Task: fix_mul' },
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})
