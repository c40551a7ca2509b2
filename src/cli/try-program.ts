import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ApiClient } from '../api/client.ts'
import type { HookedAgent } from '../core/vocabulary/session.ts'
import { systemClock } from '../main/host/system-clock.ts'
import { findProgram } from '../main/process/find-program.ts'
import { startOutside } from '../main/scripted-model/outside.ts'
import { SCRIPTED_PROGRAMS, type ScriptedProgram } from '../main/scripted-model/programs.ts'
import { type ProgramStart, runSession, versionOf } from '../main/scripted-model/run-program.ts'
import { act, type Script, say, write } from '../main/scripted-model/script.ts'
import { startModelServer } from '../main/scripted-model/server.ts'
import { surroundings } from '../main/scripted-model/surroundings.ts'
import { reviewInCodex } from '../main/sessions/codex-review.ts'
import { entriesForTrial, entriesThere, type InstallationPlace } from '../main/sessions/installation.ts'
import { HOOK_PROGRAMS } from '../main/sessions/programs.ts'

/*
 * Tries the hook with the program itself: with a scripted model on loopback, a home folder that has only our entries of the user's
 * settings, none of the user's variables except PATH, and proxy settings that refuse everything else.
 */

export type TriedTurn = 'refused' | 'let through' | 'not called'

/** The results of the two turns. */
export interface Tried {
  readonly liar: TriedTurn
  readonly honest: TriedTurn
  /** What else went wrong, as a clause; `null`: nothing. */
  readonly problem: string | null
  /** The program's version. */
  readonly version: string | null
}

export interface Trial {
  readonly agent: HookedAgent
  readonly place: InstallationPlace
  readonly version: string
  /** A temporary folder. */
  readonly root: string
  /** The workspace in it. */
  readonly folder: string
  readonly dataDirectory: string
  readonly client: ApiClient
  readonly signal: AbortSignal
}

export const SAID = 'Done. All tests pass.'
/** A single word, so that no shell in between can split it. */
const PROMPT = 'Work.'
/*
 * Files that the turns write, a new one each time, because some programs refuse to overwrite what they have not read. The check of the
 * workspace reads the last one (`try-hook.ts`).
 */
export const HONEST_FILE = 'answers/2.txt'
export const LIARS_FILE = 'answers/3.txt'
const MENDED_FILE = 'answers/4.txt'

/** Returns what the model does. Some programs accept only absolute paths. */
function scriptOf(folder: string, files: readonly (readonly [string, string])[]): Script {
  return { prompts: files.map(([file, text]) => [act(write(join(folder, file), text)), say(SAID)]) }
}

/** For one session, which takes seconds. */
const SESSION_TIMEOUT_MS = 180_000
/** The variables that a program needs from its machine. */
const KEPT_VARIABLES = ['LANG', 'SystemRoot', 'ComSpec', 'PATHEXT']

/** Returns the program's path if it is on PATH and can be used with a scripted model, or else why it is not run. */
export async function findScripted(
  agent: HookedAgent,
  { environment, home }: Pick<InstallationPlace, 'environment' | 'home'>,
): Promise<{ readonly path: string | null; readonly notRun: string | null }> {
  const program = scriptedProgram(agent)
  if (program === null) return { path: null, notRun: 'it cannot be pointed at a local model' }
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : ['']
  for (const ending of endings) {
    const path = await findProgram(program.name + ending, home, environment)
    if (typeof path === 'string') return { path, notRun: null }
  }
  return { path: null, notRun: `\`${program.name}\` is not on PATH` }
}

function scriptedProgram(agent: HookedAgent): ScriptedProgram | null {
  return Object.hasOwn(SCRIPTED_PROGRAMS, agent)
    ? SCRIPTED_PROGRAMS[agent as keyof typeof SCRIPTED_PROGRAMS]
    : null
}

/** Runs the program at this path for one honest turn, and for one that lies until it is sent back. */
export async function tryProgram(trial: Trial, path: string): Promise<Tried> {
  const outside = await startOutside()
  try {
    const mended = [MENDED_FILE, 'right\n'] as const
    const honestly = await play(trial, path, outside.url, [[HONEST_FILE, 'right\n']])
    const lying = await play(trial, path, outside.url, [[LIARS_FILE, 'wrong\n'], mended])
    return {
      ...{ liar: turnOf(lying), honest: turnOf(honestly), version: await versionOf(honestly.start) },
      problem: honestly.problem ?? lying.problem ?? againOf(lying),
    }
  } finally {
    await outside.close()
  }
}

interface Played {
  /** Whether the agent was sent back, by judged turn. */
  readonly blocked: readonly boolean[]
  readonly problem: string | null
  readonly start: ProgramStart
}

function turnOf({ blocked }: Played): TriedTurn {
  if (blocked.length === 0) return 'not called'
  return blocked.includes(true) ? 'refused' : 'let through'
}

/** Returns what went wrong if a program ended although it was sent back, or was refused after it fixed the file. */
function againOf({ blocked }: Played): string | null {
  if (blocked.length === 0 || blocked[0] === false || blocked.join() === 'true,false') return null
  return blocked.length === 1
    ? 'it was sent back, and ended all the same'
    : `it was sent back ${blocked.filter(Boolean).length} times for one lie`
}

async function play(
  trial: Trial,
  path: string,
  outsideUrl: string,
  writes: readonly (readonly [string, string])[],
): Promise<Played> {
  const { agent, place, folder, root, client, signal } = trial
  const program = scriptedProgram(agent)
  if (program === null) throw new Error(`${agent} cannot be pointed at a scripted model`)
  const model = await startModelServer(scriptOf(folder, writes))
  try {
    const home = join(root, 'home')
    const { env, keys, files } = program.setup(model.url)
    const kept = KEPT_VARIABLES.flatMap((name) => {
      const value = place.environment[name]
      return value === undefined ? [] : [[name, value] as const]
    })
    const environment = {
      ...Object.fromEntries(kept),
      ...surroundings(home, outsideUrl),
      ...{ ...env, ...keys, PATH: place.environment.PATH ?? '' },
    }
    await prepareHome(trial, home, environment, files)
    const start: ProgramStart = {
      ...{ program, path, directory: folder, environment, signal },
      ...{ timeoutMs: SESSION_TIMEOUT_MS, clock: systemClock },
    }
    const before = new Set((await sessionsOf(client)).map(({ sessionId }) => sessionId))
    const turns = async () =>
      (await sessionsOf(client)).flatMap((one) => (before.has(one.sessionId) ? [] : one.turns))
    const problem = await runSession(start, PROMPT, async () => (await turns()).at(-1)?.blocked === false)
    const blocked = (await turns()).map((turn) => turn.blocked)
    const [first = ''] = writes.map(([file]) => file)
    const isWritten = existsSync(join(folder, first))
    const unwritten = isWritten ? null : `it did not write ${first} as the model told it to`
    // How the program ended explains why it did not call the hook; if it did call, that doesn't matter.
    return { blocked, start, problem: (blocked.length === 0 ? problem : null) ?? unwritten }
  } finally {
    await model.close()
  }
}

async function sessionsOf(client: ApiClient) {
  return (await client.sessions.list({ last: 50 })).sessions
}

/** Prepares a home folder with settings that point the program at the model, and our entries from the user's settings. */
async function prepareHome(
  { agent, place, version, dataDirectory }: Trial,
  home: string,
  environment: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const own = await entriesForTrial(place, agent, dataDirectory)
  const path = HOOK_PROGRAMS[agent].path({ home, environment })
  const made = Object.entries(files).map(([name, text]) => [join(home, name), text] as const)
  const beside = made.find(([name]) => name === path)?.[1]
  const settings = [path, beside === undefined ? (own ?? '') : merged(beside, own ?? '{}')] as const
  const empty = ['tmp', 'codex'].map((name) => [join(home, name, '.keep'), ''] as const)
  for (const [name, text] of [...made, settings, ...empty]) {
    await mkdir(dirname(name), { recursive: true })
    await writeFile(name, text)
  }
  if (agent !== 'codex') return
  const trialPlace = { ...place, home, environment }
  const { path: file, ...entries } = await entriesThere(trialPlace, agent)
  await reviewInCodex({ environment, home, file, ...entries, version })
}

function merged(text: string, other: string): string {
  return JSON.stringify({ ...(JSON.parse(text) as object), ...(JSON.parse(other) as object) })
}
