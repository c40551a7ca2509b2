import { join, posix } from 'node:path'
import type { ChangeGate } from '../../core/change/judge-change.ts'
import type { ChangeStep } from '../../core/change/steps.ts'
import type { AddedTest, CheckResult, CheckSide } from '../../core/change/types.ts'
import { markLackingAsIn } from '../../core/judgement/lacking-variables.ts'
import { isRedAsInBase, lostNames, newlyFailing } from '../../core/reports/lost-names.ts'
import { isOfAWhole, type TestReport } from '../../core/reports/test-report.ts'
import type { GateResult, ProbeReading } from '../../core/verification/types.ts'
import type { RoomPlan } from '../custody/clean-room.ts'
import type { Clock } from '../ports/clock.ts'
import type { Contain } from '../ports/containment.ts'
import type { CheckRoom, EarlierFiles } from '../ports/custody.ts'
import type { Log } from '../ports/log.ts'
import type { Verifier } from '../ports/verifier.ts'
import { createVerifier } from '../verifier/verifier.ts'
import type { BaseCache } from './base-cache.ts'
import type { Scope } from './policy.ts'
import type { TreeRooms } from './rooms.ts'
import type { ScriptEnds } from './script-ends.ts'

/** What to measure of a change, and with what. */
export interface MeasureOptions {
  readonly scope: Scope
  readonly rooms: TreeRooms
  readonly trees: { readonly base: string; readonly head: string }
  /** The base's version of everything that affects what checks report; `null` if none of it was changed. */
  readonly cleanPlan: RoomPlan | null
  /** Head's test files, to write over the base. */
  readonly testPlan: RoomPlan
  /** The scripts that its checks run. */
  readonly ends: ScriptEnds
  /** Gates that were run separately, by index and setting, because the change as a whole and each of its tasks may need them.
   */
  readonly ranAlone: Map<string, Promise<readonly GateResult[] | string>>
  readonly contain: Contain | undefined
  /** `null`: nothing is cached. */
  readonly cache: BaseCache | null
  readonly version: string
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  readonly onStep: (step: ChangeStep) => void
}

export interface Measured {
  readonly gates: readonly ChangeGate[]
  readonly cleanRoom:
    | { readonly kind: 'ran'; readonly gates: readonly ChangeGate[] }
    | { readonly kind: 'none'; readonly reason: string }
    | null
  readonly checks: readonly CheckResult[]
  readonly lost: readonly string[]
  readonly added: readonly AddedTest[]
  readonly skipped: readonly string[]
  readonly silenced: readonly string[]
  readonly readings: readonly ProbeReading[]
}

const NOTHING: Measured = {
  gates: [],
  cleanRoom: null,
  checks: [],
  lost: [],
  added: [],
  skipped: [],
  silenced: [],
  readings: [],
}

/** Runs the checks of one scope on head, on head with the base's check files, and on the base. Rejects only if the command was stopped. */
export async function measureScope(options: MeasureOptions): Promise<Measured> {
  const { scope, trees, cleanPlan, signal, onStep } = options
  const { commands } = scope.configuration.gates
  const probeNames = Object.keys(scope.configuration.probes)
  if (commands.length === 0 && probeNames.length === 0) return NOTHING
  onStep('head')
  const head = await inRoom(options, trees.head, undefined, async (verifier) => ({
    gates: await verifier.runGates(signal),
    readings: await verifier.readProbes(probeNames, signal),
  }))
  if (typeof head === 'string') return unmeasured(options, head)
  onStep('base')
  // If the trees are equal, reuse head's results.
  const base = trees.base === trees.head ? head.gates : await measureBase(options)
  const again = await retriedGates(options, head.gates, base)
  if (cleanPlan !== null) onStep('clean-room')
  const clean =
    cleanPlan === null
      ? null
      : await inRoom(options, trees.head, cleanPlan, (verifier) => verifier.runGates(signal))
  signal.throwIfAborted()
  const gates = again.gates.map(
    (gate, index): GateResult => markLackingAsIn(base?.[index], asInBase(gate, base?.[index])),
  )
  const comparison = compareReports(gates, base)
  const added = await redFirst(options, comparison.added)
  const named = (results: readonly GateResult[]): readonly ChangeGate[] =>
    results.map((result, index) => ({ ...result, id: `${scope.folder}\0${index}` }))
  return {
    gates: named(gates).map((gate, index) => withNewFailures(gate, base?.[index])),
    cleanRoom:
      clean === null
        ? null
        : typeof clean === 'string'
          ? { kind: 'none', reason: clean }
          : { kind: 'ran', gates: named(clean) },
    checks: commands.map((command, index) => ({
      name: nameOf(scope.folder, command),
      folder: scope.folder,
      command,
      base: sideOf(base?.[index]),
      head: sideOf(gates[index]),
      cleanRoom: clean === null || typeof clean === 'string' ? null : sideOf(clean[index]),
      report: gates[index]?.report === undefined ? null : (gates[index]?.runner ?? null),
    })),
    lost: comparison.lost,
    added,
    skipped: comparison.skipped,
    silenced: again.silenced,
    readings: head.readings,
  }
}

export function nameOf(folder: string, command: readonly string[]): string {
  return folder === '' ? command.join(' ') : `${command.join(' ')} (${folder})`
}

/** Returns every check as one that could not be run. */
function unmeasured({ scope }: MeasureOptions, reason: string): Measured {
  const gates = scope.configuration.gates.commands.map(
    (command, index): ChangeGate => ({
      id: `${scope.folder}\0${index}`,
      command,
      status: 'unavailable',
      exitCode: null,
      durationMs: 0,
      detail: reason,
    }),
  )
  return {
    ...NOTHING,
    gates,
    checks: gates.map((gate) => ({
      name: nameOf(scope.folder, gate.command),
      folder: scope.folder,
      command: gate.command,
      base: null,
      head: sideOf(gate),
      cleanRoom: null,
      report: null,
    })),
  }
}

export async function inRoom<T>(
  { rooms, scope, contain, clock, log }: MeasureOptions,
  tree: string,
  instead: RoomPlan | undefined,
  work: (verifier: Verifier) => Promise<T>,
): Promise<T | string> {
  const opened = await rooms.open(tree, instead)
  if (opened.kind === 'none') return opened.reason
  const directory = join(rooms.top, scope.folder)
  try {
    return await work(
      createVerifier({
        directory,
        config: scope.configuration,
        clock,
        log,
        room: inFolder(opened.room, scope.folder),
        earlier: seenFrom(scope.folder, opened.plan),
        ...(contain !== undefined && { contain }),
      }),
    )
  } finally {
    await opened.room.close()
  }
}

/** Wraps a room, which is entered at its top, so that commands run in the folder. */
function inFolder(room: CheckRoom, folder: string): CheckRoom {
  if (folder === '') return room
  return {
    ...room,
    enter: (command) => {
      return room.enter(['sh', '-c', 'cd "$0" && exec "$@"', folder, ...command])
    },
  }
}

/** Returns the room's plan relative to the folder, for files that are read without a command. */
function seenFrom(folder: string, { write, remove }: RoomPlan): EarlierFiles {
  const path = (fromTop: string): string => posix.relative(folder, fromTop)
  const links = write.filter(({ isLink }) => isLink === true)
  return {
    write: write.filter(({ isLink }) => isLink !== true).map((file) => ({ ...file, path: path(file.path) })),
    remove: [...remove, ...links.map((link) => link.path)].map(path),
  }
}

/** Returns the base's results, from the cache if possible; `null`: no room could be created. */
async function measureBase(options: MeasureOptions): Promise<readonly GateResult[] | null> {
  const { scope, trees, cache, version, signal } = options
  if (scope.configuration.gates.commands.length === 0) return []
  // The commands too: what is installed can decide them, and a contract alone does not name them.
  const policy = JSON.stringify([scope.sha256, scope.configuration.gates.commands])
  const key = { tree: trees.base, folder: scope.folder, policy, version }
  const known = await cache?.read(key)
  if (known != null) return known
  const results = await inRoom(options, trees.base, undefined, (verifier) => verifier.runGates(signal))
  if (typeof results === 'string') return null
  // What could not be run now may run next time, so don't cache it.
  if (!signal.aborted && results.every(({ status }) => status !== 'unavailable'))
    await cache?.keep(key, results)
  return results
}

/** Reruns checks that gave no answer on head. If the base answers, the silence is head's own doing. */
async function retriedGates(
  options: MeasureOptions,
  gates: readonly GateResult[],
  base: readonly GateResult[] | null,
): Promise<{ readonly gates: readonly GateResult[]; readonly silenced: readonly string[] }> {
  const isSilent = ({ status, neverStarted, lacksProgram }: GateResult): boolean =>
    status === 'unavailable' && neverStarted !== true && lacksProgram !== true
  const answers = (index: number): boolean =>
    base?.[index] !== undefined && base[index].status !== 'unavailable'
  if (!gates.some((gate, index) => isSilent(gate) && answers(index))) return { gates, silenced: [] }
  const again = await inRoom(options, options.trees.head, undefined, (verifier) =>
    verifier.runGates(options.signal),
  )
  if (typeof again === 'string') return { gates, silenced: [] }
  const silenced = gates.flatMap((gate, index) => {
    const second = again[index]
    return isSilent(gate) && answers(index) && second !== undefined && isSilent(second)
      ? [
          `\`${gate.command.join(' ')}\` answers on the base, and twice gave no answer on head: ${gate.detail.split('\n')[0]}`,
        ]
      : []
  })
  const better = gates.map((gate, index) =>
    isSilent(gate) && again[index] !== undefined ? again[index] : gate,
  )
  return { gates: better, silenced }
}

function asInBase(gate: GateResult, base: GateResult | undefined): GateResult {
  const isRed = gate.status === 'failed' && base?.report !== undefined && gate.report !== undefined
  return isRed && isRedAsInBase(base.report as TestReport, gate.report as TestReport)
    ? { ...gate, redAsInBase: true }
    : gate
}

function withNewFailures(gate: ChangeGate, base: GateResult | undefined): ChangeGate {
  if (base?.report === undefined || gate.report === undefined) return gate
  return { ...gate, newlyFailing: newlyFailing(base.report, gate.report) }
}

interface Comparison {
  readonly lost: readonly string[]
  readonly added: readonly string[]
  readonly skipped: readonly string[]
}

/** Compares test names across all checks that report, so that a test that moved to another suite doesn't count as lost. */
function compareReports(gates: readonly GateResult[], base: readonly GateResult[] | null): Comparison {
  const pairs = gates.flatMap(({ report }, index) => {
    const before = base?.[index]?.report
    return report === undefined || before === undefined ? [] : [{ before, now: report }]
  })
  const executedNow = new Set(pairs.flatMap(({ now }) => [...now.names.passed, ...now.names.failed]))
  const executedBefore = new Set(
    pairs.flatMap(({ before }) => [...before.names.passed, ...before.names.failed]),
  )
  const skippedBefore = new Set(pairs.flatMap(({ before }) => before.names.skipped))
  // If head could not load a file, its tests count as failed, not as lost.
  const lost = pairs.flatMap(({ before, now }) =>
    now.names.failed.some(isOfAWhole) ? [] : lostNames(before, now),
  )
  return {
    lost: [...new Set(lost)].filter((name) => !executedNow.has(name)),
    added: [...executedNow]
      .filter((name) => !executedBefore.has(name) && !skippedBefore.has(name) && !isOfAWhole(name))
      .sort(),
    skipped: [...new Set(pairs.flatMap(({ now }) => now.names.skipped))].filter((name) =>
      executedBefore.has(name),
    ),
  }
}

/** Runs head's tests over the base's code: what does not pass there needs the change to pass. */
async function redFirst(options: MeasureOptions, added: readonly string[]): Promise<readonly AddedTest[]> {
  const { testPlan, trees, signal, onStep } = options
  if (added.length === 0) return []
  onStep('added-tests')
  if (testPlan.write.length === 0) return added.map((name) => ({ name, redFirst: null }))
  const results = await inRoom(options, trees.base, testPlan, (verifier) =>
    verifier.runGates(signal, 'reported'),
  )
  if (typeof results === 'string') return added.map((name) => ({ name, redFirst: null }))
  const passed = new Set(results.flatMap(({ report }) => report?.names.passed ?? []))
  const reported = results.some(({ report }) => report !== undefined)
  return added.map((name) => ({ name, redFirst: reported ? !passed.has(name) : null }))
}

const MAX_FAILING = 50

function sideOf(gate: GateResult | undefined): CheckSide | null {
  if (gate === undefined) return null
  const { status, exitCode, durationMs, detail, report } = gate
  return {
    status,
    exitCode,
    durationMs,
    detail,
    passed: report?.passed ?? null,
    failed: report?.failed ?? null,
    skipped: report?.skipped ?? null,
    failing: report?.names.failed.slice(0, MAX_FAILING) ?? [],
  }
}
