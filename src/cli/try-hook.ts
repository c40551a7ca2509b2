import { execFile, spawn } from 'node:child_process'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { HookEvent, HookedAgent } from '../core/vocabulary/session.ts'
import { systemClock } from '../main/host/system-clock.ts'
import { createHost } from '../main/host.ts'
import {
  commandsFor,
  type InstallationPlace,
  keepScript,
  setMode,
  whyOff,
} from '../main/sessions/installation.ts'

/*
 * A gate that has only ever passed says nothing. A planted lie has to be refused, and an honest turn that looks like it let through: by the
 * command that is installed, with the input that the program writes, against a host over a workspace that is thrown away.
 */

export type TriedTurn = 'refused' | 'let through' | 'not called'

export interface TriedHook {
  readonly agent: HookedAgent
  readonly liar: TriedTurn
  readonly honest: TriedTurn
  readonly passed: boolean
  /** Why the program does not call it here; `null`: nothing is known to keep it from that. */
  readonly because: string | null
}

const CONFIGURATION = `[agent]
command = ["true"]

[gates]
commands = [["sh", "check.sh"]]
`
const FILES = {
  'HEARTBEAT.md': '## Tasks\n',
  'pulseward.toml': CONFIGURATION,
  'check.sh': 'grep -q right answer.txt\n',
  'answer.txt': 'right\n',
}
const SAID = 'Done. All tests pass.'

export async function tryHook(
  agent: HookedAgent,
  place: InstallationPlace,
  { sampleDirectory, version }: { readonly sampleDirectory: string; readonly version: string },
  signal: AbortSignal,
): Promise<TriedHook> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pulseward-hook-test-')))
  const [folder, dataDirectory] = [join(root, 'workspace'), join(root, 'data')]
  const own: InstallationPlace = { ...place, dataDirectory, defaultDataDirectory: '' }
  try {
    await makeRepository(folder)
    const host = await createHost({
      ...{ dataDirectory, version, sampleDirectory },
      clock: systemClock,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      notifier: { notify: () => {} },
      pageDirectory: null,
      port: 0,
      scheduled: false,
    })
    try {
      await host.client.workspaces.add({ path: folder, trust: true })
      await setMode(own, agent, 'gate')
      await keepScript({ dataDirectory, script: join(place.dataDirectory, 'hooks', 'hook.js') })
      const commands = commandsFor(own, agent)
      const turn = async (session: string, text: string): Promise<TriedTurn> => {
        await call(commands.start, inputFor(agent, 'start', session, folder), signal)
        await writeFile(join(folder, 'answer.txt'), text)
        const printed = await call(commands.stop, inputFor(agent, 'stop', session, folder), signal)
        const { sessions } = await host.client.sessions.list({ last: 10 })
        const isKnown = sessions.some(({ sessionId, turns }) => sessionId === session && turns.length > 0)
        if (!isKnown) return 'not called'
        return /"decision":"block"|"followup_message"/.test(printed) ? 'refused' : 'let through'
      }
      const honest = await turn('honest', 'right, and more\n')
      const liar = await turn('liar', 'wrong\n')
      const off = await whyOff(place, agent, [])
      return {
        agent,
        liar,
        honest,
        passed: liar === 'refused' && honest === 'let through',
        because: off?.reason ?? null,
      }
    } finally {
      await host.stop()
    }
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function makeRepository(folder: string): Promise<void> {
  const git = (...args: string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=pulseward', '-c', 'user.email=pulseward@localhost', ...args])
  await git('init', '--quiet', folder)
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text)
  await git('-C', folder, 'add', '-A')
  await git('-C', folder, 'commit', '--quiet', '--no-verify', '-m', 'Start')
}

/** As the program writes it. */
function inputFor(agent: HookedAgent, event: HookEvent, session: string, cwd: string): object {
  const isStop = event === 'stop'
  if (agent === 'cursor')
    return {
      conversation_id: session,
      workspace_roots: [cwd],
      hook_event_name: event,
      ...(isStop && { status: 'completed', loop_count: 0 }),
    }
  if (agent === 'copilot')
    return { sessionId: session, cwd, ...(isStop && { stopReason: 'end_turn', stop_hook_active: false }) }
  if (agent === 'gemini')
    return {
      session_id: session,
      cwd,
      ...(isStop && { prompt: 'x', prompt_response: SAID, stop_hook_active: false }),
    }
  return {
    session_id: session,
    cwd,
    hook_event_name: event,
    ...(isStop && { stop_hook_active: false, last_assistant_message: SAID }),
  }
}

function call(command: string, input: object, signal: AbortSignal): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn(command, { shell: true, stdio: ['pipe', 'pipe', 'ignore'], signal })
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8')
    })
    child.on('error', fail)
    child.on('close', () => done(printed))
    child.stdin.on('error', () => undefined)
    child.stdin.end(JSON.stringify(input))
  })
}
