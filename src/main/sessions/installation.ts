import { chmod, mkdir, readlink, realpath, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import type { hookStatusSchema } from '../../api/procedures/sessions.ts'
import { RequestProblem } from '../../api/request-problem.ts'
import { HOOK_EVENTS, type HookEvent } from '../../core/vocabulary/hook-event.ts'
import {
  DEFAULT_SESSION_MODE,
  HOOKED_AGENTS,
  type HookedAgent,
  type SessionAgent,
  type SessionMode,
  sessionAgentSchema,
  sessionModeSchema,
} from '../../core/vocabulary/session.ts'
import { readBoundedFile, replaceFile } from '../files/bounded-file.ts'
import { setAside } from '../files/durable-file.ts'
import { sha256 } from '../files/sha256.ts'
import { isOfTheMoment, readError } from '../files/storage-error.ts'
import { succeeds } from '../files/succeeds.ts'
import {
  type HookCommands,
  installedCommands,
  installedEvents,
  isBroken,
  isOnlyFrame,
  type OwnScript,
  ownEntriesOnly,
  ownPlaces,
  withEntries,
  withoutEntries,
} from './hook-entries.ts'
import { HOOK_PROGRAMS, type HookProgram, type HookSwitch, type ProgramPlace } from './programs.ts'

/*
 * What `pulseward hook install` does to a program's own file, and how it is undone. Modes and a record of what was written are in
 * Pulseward's data folder, never in the entry, so an agent gains nothing by editing an entry.
 */

export interface InstallationPlace extends ProgramPlace {
  readonly dataDirectory: string
  /** The built hook of this version. */
  readonly script: string
  /** The Node.js that runs the hook, with the environment variables it needs. */
  readonly node: { readonly program: string; readonly env: Readonly<Record<string, string>> }
  readonly nowMs: () => number
}

const NO_FILE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR'])

/** Size limit for a program's settings; a larger file can't be settings. */
const MAX_BYTES = 4 * 1024 * 1024

const documentSchema = z.object({
  agents: z
    .partialRecord(
      sessionAgentSchema,
      z.object({
        mode: sessionModeSchema,
        installed: z
          .object({
            path: z.string(),
            /** The file's previous content, in base64; `null`: there was no file. */
            before: z.string().nullable(),
            /** The hash of what was written. */
            sha256: z.string(),
            /** The topmost folder that had to be created; `null` if there is none. */
            madeFolder: z.string().nullable().default(null),
            /** It is being uninstalled: if the entry disappears, the operator removed it. */
            leaving: z.boolean().optional(),
          })
          .nullable(),
        /** The program has reviewed the entry as it is. If omitted, it needs no review. */
        reviewed: z.boolean().optional(),
      }),
    )
    .default({}),
})

type HooksDocument = z.infer<typeof documentSchema>

export interface HookChange {
  readonly agent: HookedAgent
  readonly path: string
  readonly before: string | null
  /** `null`: the file is deleted. */
  readonly after: string | null
}

export type HookStatus = Readonly<z.infer<typeof hookStatusSchema>>

/** Where modes and a record of what was written are kept. */
export const hooksFile = (dataDirectory: string): string => join(dataDirectory, 'hooks', 'hooks.json')

async function readDocument(dataDirectory: string, nowMs?: () => number): Promise<HooksDocument> {
  const path = hooksFile(dataDirectory)
  const reading = await readBoundedFile(path, 8 * MAX_BYTES)
  if (!reading.ok && reading.code === 'ENOENT') return { agents: {} }
  // A caller that writes must not replace what it couldn't read.
  if (!reading.ok && nowMs !== undefined && isOfTheMoment(reading.code)) throw readError(path, reading.code)
  try {
    if (!reading.ok) throw new Error(reading.code)
    return documentSchema.parse(JSON.parse(reading.bytes.toString('utf8')))
  } catch {
    // A caller that only reads leaves the file where it is.
    if (nowMs !== undefined) await setAside(path, nowMs())
    return { agents: {} }
  }
}

async function writeDocument(dataDirectory: string, document: HooksDocument): Promise<void> {
  const path = hooksFile(dataDirectory)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await replaceFile(path, `${JSON.stringify(document, null, 2)}\n`, 0o600)
}

/** Returns a program's mode, which is kept in the data folder, so that no agent can change it by editing an entry. */
export async function modeOf(dataDirectory: string, agent: SessionAgent): Promise<SessionMode> {
  const { agents } = await readDocument(dataDirectory)
  return agents[agent]?.mode ?? DEFAULT_SESSION_MODE
}

export async function setMode(
  place: Pick<InstallationPlace, 'dataDirectory' | 'nowMs'>,
  agent: SessionAgent,
  mode: SessionMode,
): Promise<void> {
  const document = await readDocument(place.dataDirectory, place.nowMs)
  const known = document.agents[agent]
  await writeDocument(place.dataDirectory, {
    agents: { ...document.agents, [agent]: { installed: null, ...known, mode } },
  })
}

async function readText(path: string): Promise<string | null> {
  const reading = await readBoundedFile(path, MAX_BYTES)
  if (reading.ok) {
    const text = reading.bytes.toString('utf8')
    if (!Buffer.from(text).equals(reading.bytes))
      throw new RequestProblem(
        'unprocessable',
        `${path} is not UTF-8. Nothing was written. Save it as UTF-8 first.`,
      )
    return text
  }
  if (NO_FILE.has(reading.code)) return null
  throw new RequestProblem('unprocessable', `${path} cannot be read (${reading.code}). Nothing was written.`)
}

/** Returns what installing would write. Rejects with a `RequestProblem` if the program's file cannot be parsed. */
export async function planInstall(place: InstallationPlace, agent: HookedAgent): Promise<HookChange> {
  const program = HOOK_PROGRAMS[agent]
  const path = program.path(place)
  const before = await readText(path)
  const bare = before?.replace(/^\uFEFF/, '') ?? null
  const mark = before !== null && before !== bare ? '\uFEFF' : ''
  return {
    agent,
    path,
    before,
    after:
      mark +
      withEntries(program, path, bare, { commands: commandsFor(place, agent), script: ownScript(place) }),
  }
}

/** Installs the hook or updates an installation. Resolves with what was written. */
export async function installHook(
  place: InstallationPlace,
  agent: HookedAgent,
  mode: SessionMode | undefined,
): Promise<HookChange> {
  const change = await planInstall(place, agent)
  const document = await readDocument(place.dataDirectory, place.nowMs)
  const known = document.agents[agent]
  await keepScript(place)
  const madeFolder = (await mkdir(dirname(change.path), { recursive: true })) ?? null
  const last = known?.installed ?? null
  const isLast = last?.path === change.path && last.sha256 === hashOf(change.before)
  // Changes that someone else has made since are kept; only our entries are removed.
  const before = isLast ? last.before : encoded(leftOf(place, agent, change.before, last))
  const installed = {
    path: change.path,
    before,
    sha256: hashOf(change.after),
    madeFolder: isLast || before === null ? (last?.madeFolder ?? madeFolder) : madeFolder,
  }
  // First save what is needed to undo it.
  await writeDocument(place.dataDirectory, {
    agents: {
      ...document.agents,
      [agent]: { ...known, mode: mode ?? known?.mode ?? DEFAULT_SESSION_MODE, installed },
    },
  })
  if (change.after !== change.before) await writeSettings(change.path, change.after ?? '')
  return change
}

/** Returns a file without our entries; `null`: nothing in it was there before us. */
function bareOf(place: InstallationPlace, agent: HookedAgent, text: string | null): string | null {
  const program = HOOK_PROGRAMS[agent]
  if (text === null || program.isOwnFile)
    return text !== null && installedEvents(program, text, ownScript(place)).length > 0 ? null : text
  const bare = text.replace(/^\uFEFF/, '')
  return (text === bare ? '' : '\uFEFF') + withoutEntries(program, bare, ownScript(place))
}

/** Returns what uninstalling leaves of a file; `null`: nothing, because we made it and nothing else was added, even if it was formatted since. */
function leftOf(
  place: InstallationPlace,
  agent: HookedAgent,
  text: string | null,
  known: { readonly path: string; readonly before: string | null } | null,
): string | null {
  const program = HOOK_PROGRAMS[agent]
  const bare = bareOf(place, agent, text)
  const isOurs = known?.before === null && known.path === program.path(place)
  return isOurs && bare !== null && isOnlyFrame(program, bare) ? null : bare
}

/** Writes a program's settings; if the path is a link, writes to its target. */
async function writeSettings(path: string, text: string): Promise<void> {
  const target = await targetOf(path)
  await replaceFile(target, text, await modeOfFile(target))
}

/** Returns the file behind a path: settings are often links into a folder under git. */
async function targetOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    // Even if the link's target does not exist yet, write to the target.
    const link = await readlink(path).catch(() => null)
    return link === null ? path : resolve(dirname(path), link)
  }
}

async function modeOfFile(path: string): Promise<number> {
  return stat(path).then(
    ({ mode }) => mode & 0o777,
    () => 0o600,
  )
}

/** Returns what uninstalling would write: the original bytes if nothing else has changed since, else the file without our entries. */
export async function planUninstall(place: InstallationPlace, agent: HookedAgent): Promise<HookChange> {
  const known = (await readDocument(place.dataDirectory)).agents[agent]?.installed
  const path = known?.path ?? HOOK_PROGRAMS[agent].path(place)
  const before = await readText(path)
  if (before === null) return { agent, path, before, after: null }
  if (known != null && known.sha256 === hashOf(before))
    return { agent, path, before, after: decoded(known.before) }
  return { agent, path, before, after: leftOf(place, agent, before, known ?? null) }
}

export async function uninstallHook(place: InstallationPlace, agent: HookedAgent): Promise<HookChange> {
  const change = await planUninstall(place, agent)
  const document = await readDocument(place.dataDirectory, place.nowMs)
  const known = document.agents[agent]
  // Recorded first, because a program calls its guards as soon as its settings change.
  if (known?.installed != null)
    await writeDocument(place.dataDirectory, {
      agents: { ...document.agents, [agent]: { ...known, installed: { ...known.installed, leaving: true } } },
    })
  if (change.after === null) {
    if (change.before !== null) await rm(await targetOf(change.path))
    await removeEmpty(known?.installed?.madeFolder ?? null, change.path)
  } else if (change.after !== change.before) await writeSettings(change.path, change.after)
  if (known !== undefined)
    await writeDocument(place.dataDirectory, {
      agents: { ...document.agents, [agent]: { mode: known.mode, installed: null } },
    })
  return change
}

/** Removes the folders that the installation created, if they are empty. */
async function removeEmpty(made: string | null, path: string): Promise<void> {
  if (made === null) return
  for (
    let folder = dirname(path);
    folder.length >= made.length && folder.startsWith(made);
    folder = dirname(folder)
  ) {
    const isGone = await succeeds(rmdir(folder))
    if (!isGone) return
  }
}

function hashOf(text: string | null): string {
  return text === null ? '' : sha256(text)
}

function encoded(text: string | null): string | null {
  return text === null ? null : Buffer.from(text).toString('base64')
}

function decoded(text: string | null): string | null {
  return text === null ? null : Buffer.from(text, 'base64').toString('utf8')
}

/** Returns the path of the hook itself, outside every workspace and every package that an update replaces. */
function scriptPlace({ dataDirectory }: Pick<InstallationPlace, 'dataDirectory'>): string {
  return join(dataDirectory, 'hooks', 'hook.js')
}

/** Returns the script as commands name it. */
export function ownScript(place: Pick<InstallationPlace, 'dataDirectory'>): OwnScript {
  return quoted(scriptPlace(place))
}

/** Updates the copy of the hook. Does not reject if there is none to copy: programs then call the existing one. */
export async function keepScript(place: Pick<InstallationPlace, 'dataDirectory' | 'script'>): Promise<void> {
  const reading = await readBoundedFile(place.script, MAX_BYTES)
  if (!reading.ok) return
  const path = scriptPlace(place)
  const known = await readBoundedFile(path, MAX_BYTES)
  if (known.ok && known.bytes.equals(reading.bytes)) return
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await replaceFile(path, reading.bytes, 0o600)
  await chmod(path, 0o600)
  // Without our own package, the folder above would decide how `.js` is loaded.
  await replaceFile(join(dirname(path), 'package.json'), '{ "type": "commonjs" }\n', 0o600)
}

/**
 * Variables with which Node.js loads other code, hangs or does not start. Programs add to the environment of their hooks what settings and
 * `.env` files of a project say. A command for Windows cannot set variables.
 */
const CLEARED = ['NODE_OPTIONS', 'NODE_CHANNEL_FD', 'NODE_COMPILE_CACHE', 'NODE_V8_COVERAGE', 'OPENSSL_CONF']

export function commandsFor(place: InstallationPlace, agent: HookedAgent): HookCommands {
  const { node, dataDirectory } = place
  const cleared = process.platform === 'win32' ? [] : CLEARED.map((name) => [name, ''] as const)
  const variables = [...cleared, ...Object.entries(node.env)].map(([name, value]) => `${name}=${value} `)
  const start = `${variables.join('')}${quoted(node.program)} ${ownScript(place)}`
  // Programs run the command in their own environment, which must not decide which data folder is used.
  const where = `--data-dir ${quoted(dataDirectory)}`
  const command = (event: HookEvent): string => `${start} ${event} --agent ${agent} ${where}`
  return Object.fromEntries(HOOK_EVENTS.map((event) => [event, command(event)])) as HookCommands
}

/** Quotes a path for both kinds of shell. Real paths don't contain quotes. */
function quoted(path: string): string {
  return `"${path.replace(/(["$`\\])/g, process.platform === 'win32' ? '$1' : '\\$1')}"`
}

/** Events for which a program asks first: before a tool, which all have, and one more that only Claude has. */
const GUARDS = ['tool', 'config'] as const

/** Returns the hook's state in every program. `tops`: work trees in which project files could switch hooks off. Never rejects. */
export async function hookStatus(
  place: InstallationPlace,
  tops: readonly string[] = [],
): Promise<readonly HookStatus[]> {
  const { agents } = await readDocument(place.dataDirectory)
  return Promise.all(
    HOOKED_AGENTS.map(async (agent): Promise<HookStatus> => {
      const program = HOOK_PROGRAMS[agent]
      const path = agents[agent]?.installed?.path ?? program.path(place)
      const text = await readText(path).catch(() => null)
      const events = text === null ? [] : installedEvents(program, text, ownScript(place))
      const installed = events.includes('stop')
      const off = installed ? await whyOff(place, agent, tops) : null
      const unreviewed =
        agents[agent]?.reviewed === false ? 'its entry waits for a review in the program' : null
      const because = off?.reason ?? unreviewed
      const isGuarded = GUARDS.every((event) => program.events[event] === undefined || events.includes(event))
      return {
        agent,
        installed,
        mode: agents[agent]?.mode ?? DEFAULT_SESSION_MODE,
        state: !installed ? 'absent' : because !== null ? 'silenced' : isGuarded ? 'guarded' : 'present',
        lastCallAt: await lastCall(place, agent),
        because,
        path,
      }
    }),
  )
}

export async function noteReview(
  place: InstallationPlace,
  agent: HookedAgent,
  reviewed: boolean,
): Promise<void> {
  const document = await readDocument(place.dataDirectory, place.nowMs)
  const known = document.agents[agent]
  if (known === undefined) return
  await writeDocument(place.dataDirectory, {
    agents: { ...document.agents, [agent]: { ...known, reviewed } },
  })
}

/** Returns the switches in the project files of these folders. */
export function switchesIn({ switches }: HookProgram, projects: readonly string[]): readonly HookSwitch[] {
  return projects.flatMap((project) => switches.map((one) => ({ ...one, path: join(project, one.path) })))
}

/** Returns the switch that keeps a program from calling its hooks; `null`: none found. */
export async function whyOff(
  place: ProgramPlace,
  agent: HookedAgent,
  tops: readonly string[],
): Promise<{ readonly path: string; readonly reason: string } | null> {
  const program = HOOK_PROGRAMS[agent]
  const all: readonly HookSwitch[] = [
    { path: program.path(place), isOff: (text) => (isBroken(program, text) ? 'invalid JSON' : null) },
    ...program.userSwitches(place),
    ...switchesIn(program, tops),
  ]
  for (const { path, isOff, mayBeNoFile } of all) {
    const reading = await readBoundedFile(path, MAX_BYTES)
    // The program may be able to read a file that we cannot.
    if (!reading.ok && !NO_FILE.has(reading.code) && !(mayBeNoFile && reading.code === 'NOT_A_FILE'))
      return { path, reason: `${path} cannot be read (${reading.code})` }
    const reason = reading.ok ? isOff(reading.bytes.toString('utf8')) : null
    if (reason !== null) return { path, reason: `${reason} in ${path}` }
  }
  return null
}

/** Whether the program's file still has the entry that reports stops. */
export async function isInstalled(place: InstallationPlace, agent: HookedAgent): Promise<boolean> {
  const program = HOOK_PROGRAMS[agent]
  const known = (await readDocument(place.dataDirectory)).agents[agent]?.installed
  const text = await readText(known?.path ?? program.path(place)).catch(() => null)
  return text !== null && installedEvents(program, text, ownScript(place)).includes('stop')
}

/** Returns the programs in which the operator wants the hook, even if its entry is gone. */
export async function wantedAgents(dataDirectory: string): Promise<readonly HookedAgent[]> {
  const { agents } = await readDocument(dataDirectory)
  return HOOKED_AGENTS.filter((agent) => {
    const installed = agents[agent]?.installed
    return installed != null && installed.leaving !== true
  })
}

/** Returns the commands of our entries in the program's file, including any later edits to them. */
export async function commandsThere(
  place: InstallationPlace,
  agent: HookedAgent,
): Promise<ReturnType<typeof installedCommands>> {
  const program = HOOK_PROGRAMS[agent]
  const text = await readText(program.path(place)).catch(() => null)
  return text === null ? {} : installedCommands(program, text, ownScript(place))
}

/** Returns the same command for another data folder. */
export function forDataFolder(place: InstallationPlace, command: string, dataDirectory: string): string {
  const [named, other] = [place.dataDirectory, dataDirectory].map((folder) => `--data-dir ${quoted(folder)}`)
  // Old entries do not name a data folder.
  return command.includes(named ?? '')
    ? command.replace(named ?? '', () => other ?? '')
    : `${command} ${other}`
}

/** Returns the program's entries of our hook for another data folder, including any later edits to them. `null`: there are none. */
export async function entriesForTrial(
  place: InstallationPlace,
  agent: HookedAgent,
  dataDirectory: string,
): Promise<string | null> {
  const program = HOOK_PROGRAMS[agent]
  const text = await readText(program.path(place)).catch(() => null)
  const commands = Object.values(text === null ? {} : installedCommands(program, text, ownScript(place)))
  if (text === null || commands.length === 0) return null
  const inJson = (command: string): string => JSON.stringify(command).slice(1, -1)
  return [...new Set(commands)].reduce(
    (edited, command) =>
      edited.replaceAll(inJson(command), () => inJson(forDataFolder(place, command, dataDirectory))),
    ownEntriesOnly(program, text.replace(/^\uFEFF/, ''), ownScript(place)),
  )
}

/** Returns our hooks' places in the program's file, with their commands. */
export async function entriesThere(place: InstallationPlace, agent: HookedAgent) {
  const program = HOOK_PROGRAMS[agent]
  const path = program.path(place)
  const text = (await readText(path).catch(() => null)) ?? ''
  const commands = Object.values(installedCommands(program, text, ownScript(place)))
  return { path, commands, places: ownPlaces(program, text, ownScript(place)) }
}

async function lastCall({ dataDirectory }: InstallationPlace, agent: HookedAgent): Promise<string | null> {
  return stat(join(dataDirectory, 'hooks', 'called', agent)).then(
    ({ mtime }) => mtime.toISOString(),
    () => null,
  )
}
