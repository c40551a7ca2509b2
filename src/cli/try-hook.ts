import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { HookEvent } from '../core/vocabulary/hook-event.ts'
import type { HookedAgent } from '../core/vocabulary/session.ts'
import { systemClock } from '../main/host/system-clock.ts'
import { createHost } from '../main/host.ts'
import {
  commandsThere,
  forDataFolder,
  hookStatus,
  type InstallationPlace,
  setMode,
} from '../main/sessions/installation.ts'
import { CliError } from './cli-error.ts'
import {
  findScripted,
  HONEST_FILE,
  LIARS_FILE,
  SAID,
  type Trial,
  type Tried,
  type TriedTurn,
  tryProgram,
} from './try-program.ts'

/*
 * A gate that has only ever passed proves nothing. So a planted lie has to be refused, and an honest turn that looks like it let through.
 * The real program is started with a scripted model, in a temporary repository with a separate home folder, and calls the hook as the
 * user's settings name it. If the program is not installed, the command is called with the input that the program would write. Only the
 * data folder in the command is replaced.
 */

export interface TriedHook {
  readonly agent: HookedAgent
  /** What called the hook. */
  readonly by: 'program' | 'recorded input'
  /** The installed program; `null`: not found. */
  readonly program: { readonly path: string; readonly version: string | null } | null
  readonly liar: TriedTurn
  readonly honest: TriedTurn
  readonly passed: boolean
  /** Why the program does not call the hook, or what else went wrong; `null`: no reason is known. */
  readonly because: string | null
  /** Why the program was not run; `null`: it was. */
  readonly notRun: string | null
  readonly durationMs: number
}

const CONFIGURATION = `[agent]
command = ["true"]

[gates]
commands = [["sh", "check.sh"]]
`
const FILES = {
  'HEARTBEAT.md': '## Tasks\n',
  'pulseward.toml': CONFIGURATION,
  'check.sh': 'cat answers/*.txt | tail -n 1 | grep -q right\n',
  'answers/1.txt': 'right\n',
}

export interface TrialOptions {
  readonly sampleDirectory: string
  readonly version: string
}

export async function tryHook(
  agent: HookedAgent,
  place: InstallationPlace,
  { sampleDirectory, version }: TrialOptions,
  signal: AbortSignal,
): Promise<TriedHook> {
  const startedMs = systemClock.monotonicMs()
  const found = await findScripted(agent, place)
  const answer = (tried: Tried, because: string | null): TriedHook => ({
    agent,
    by: found.path === null ? 'recorded input' : 'program',
    program: found.path === null ? null : { path: found.path, version: tried.version },
    liar: tried.liar,
    honest: tried.honest,
    // The command may work even if the program does not call it.
    passed: tried.liar === 'refused' && tried.honest === 'let through' && because === null,
    because,
    notRun: found.notRun,
    durationMs: Math.round(systemClock.monotonicMs() - startedMs),
  })
  const { stop } = await commandsThere(place, agent)
  if (stop === undefined)
    return answer(
      { liar: 'not called', honest: 'not called', problem: null, version: null },
      'its settings have no entry of this hook; install it with `pulseward hook install`',
    )
  const { because } = (await hookStatus(place)).find((one) => one.agent === agent) ?? { because: null }
  const root = await realpath(await mkdtemp(join(tmpdir(), 'pulseward-hook-test-')))
  const [folder, dataDirectory] = [join(root, 'workspace'), join(root, 'data')]
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
      await setMode({ ...place, dataDirectory }, agent, 'gate')
      await untilIndexed(dataDirectory, signal)
      const trial = { agent, place, version, root, folder, dataDirectory, client: host.client, signal }
      const tried = found.path === null ? await tryInputs(trial) : await tryProgram(trial, found.path)
      return answer(tried, because ?? tried.problem)
    } finally {
      await host.stop()
    }
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Calls the installed commands with the input that the program writes. */
async function tryInputs(trial: Trial): Promise<Tried> {
  const { agent, place, folder, dataDirectory, client, signal } = trial
  const there = await commandsThere(place, agent)
  const commandOf = (event: 'start' | 'stop'): string | null => {
    const command = there[event]
    return command === undefined ? null : forDataFolder(place, command, dataDirectory)
  }
  const [start, stop] = [commandOf('start'), commandOf('stop')]
  const turn = async (session: string, file: string, text: string): Promise<TriedTurn> => {
    if (start !== null) await call(start, inputFor(agent, 'start', session, folder), signal)
    await writeFile(join(folder, file), text)
    const printed = await call(stop ?? '', inputFor(agent, 'stop', session, folder), signal)
    const { sessions } = await client.sessions.list({ last: 10 })
    const isKnown = sessions.some(({ sessionId, turns }) => sessionId === session && turns.length > 0)
    if (!isKnown) return 'not called'
    return /"decision":"block"|"followup_message"/.test(printed) ? 'refused' : 'let through'
  }
  const honest = await turn('honest', HONEST_FILE, 'right\n')
  return { honest, liar: await turn('liar', LIARS_FILE, 'wrong\n'), problem: null, version: null }
}

const INDEX_TRIES = 200
const INDEX_EVERY_MS = 50

/** Waits until hooks know of the workspace: its host writes the index a moment after it was added. */
async function untilIndexed(dataDirectory: string, signal: AbortSignal): Promise<void> {
  for (let tries = 0; tries < INDEX_TRIES; tries += 1) {
    const text = await readFile(join(dataDirectory, 'hook-index.json'), 'utf8').catch(() => '')
    if (text.includes('"directory"')) return
    await systemClock.sleep(INDEX_EVERY_MS, signal)
  }
  throw new CliError(
    3,
    'UNAVAILABLE',
    `The trial's host did not write ${join(dataDirectory, 'hook-index.json')} within ${(INDEX_TRIES * INDEX_EVERY_MS) / 1000} s, so no hook would find its workspace. Check that the folder for temporary files can be written, and try again.`,
  )
}

async function makeRepository(folder: string): Promise<void> {
  const git = (...args: string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=pulseward', '-c', 'user.email=pulseward@localhost', ...args])
  await git('init', '--quiet', folder)
  await mkdir(join(folder, 'answers'))
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(folder, name), text)
  await git('-C', folder, 'add', '-A')
  await git('-C', folder, 'commit', '--quiet', '--no-verify', '-m', 'Start')
}

/** Returns the input as the program would write it. */
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
