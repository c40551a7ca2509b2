import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CLAIM_SUBJECTS } from '../../core/change/types.ts'
import type { EventBody, EventOf } from '../../core/record/events.ts'
import type { SessionRecord } from '../../core/record/session-record.ts'
import type { WorkspaceState } from '../../core/record/state.ts'
import { answerStop, pauseOf, sayLate, sayRefutation } from '../../core/session/answer-stop.ts'
import { attemptsBeside, isWorkedBeside } from '../../core/session/beside.ts'
import { type HookCall, readHookCall } from '../../core/session/hook-call.ts'
import { judgeTurn, type TurnJudgement } from '../../core/session/judge-turn.ts'
import { NEVER_JUDGED, readSaid, type Said } from '../../core/session/said.ts'
import { isSameStop } from '../../core/session/same-stop.ts'
import { turnPoints } from '../../core/session/turn-points.ts'
import { cut } from '../../core/text/quote.ts'
import type { HookEvent } from '../../core/vocabulary/hook-event.ts'
import {
  hookedAgentSchema,
  SESSION_AGENT_NAMES,
  type SessionAgent,
  type SessionMode,
} from '../../core/vocabulary/session.ts'
import type { BaseCache } from '../change/base-cache.ts'
import { sha256 } from '../files/sha256.ts'
import { statAt } from '../files/stats-at.ts'
import type { Clock } from '../ports/clock.ts'
import type { Contain } from '../ports/containment.ts'
import type { Ledger } from '../ports/ledger.ts'
import type { Log } from '../ports/log.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import { createSerializer } from '../process/serialize.ts'
import { guardConfig, guardTool } from './guards.ts'
import {
  type IndexedWorkspace,
  placeInRepository,
  takeSpooled,
  workspaceFor,
  writeHookIndex,
} from './hook-index.ts'
import {
  hooksFile,
  type InstallationPlace,
  isInstalled,
  modeOf,
  wantedAgents,
  whyOff,
} from './installation.ts'
import { lastMessageIn } from './last-message.ts'
import {
  isOurs,
  type LiveSession,
  newLiveSession,
  possibleProjectsOf,
  projectsOf,
  promptGiven,
  stopReached,
} from './live-session.ts'
import {
  createTurnWorkshop,
  type MeasuredTurn,
  type SessionContract,
  type SessionPolicy,
  type TurnWorkshop,
} from './turn-workshop.ts'

/** A workspace as sessions see it. */
export interface SessionWorkspace {
  readonly id: string
  readonly directory: string
  readonly dataDirectory: string
  readonly ledger: Pick<Ledger, 'state' | 'append' | 'read'>
  /** The configuration in effect; `null`: none was approved, and nothing is judged. */
  readonly config: () => WorkspaceConfig | null
  /** The contract in effect; `null`: no readable one. */
  readonly contract: () => Promise<SessionContract | null>
  /** Tells viewers that something in it has changed. */
  readonly changed: () => void
}

export interface DeskOptions {
  readonly dataDirectory: string
  readonly workspaces: () => readonly SessionWorkspace[]
  readonly contain: (top: string, config: WorkspaceConfig) => Contain | undefined
  readonly cache: BaseCache | null
  /** Where programs keep their hooks. */
  readonly installation: InstallationPlace
  readonly version: string
  readonly clock: Clock
  readonly log: Log
  /** Whether the host keeps running and itself looks for hooks that were switched off. */
  readonly watches: boolean
}

/** One call from a program, passed on by its hook. */
export interface PassedCall {
  readonly agent: SessionAgent
  readonly event: HookEvent
  readonly text: string
  readonly directory: string
  /** How long the hook waits for an answer. */
  readonly waitMs: number
}

export interface SessionDesk {
  /** Returns what the hook should print; `null`: nothing. Never rejects because of what a program or an agent says. */
  readonly answer: (call: PassedCall) => Promise<Readonly<Record<string, unknown>> | null>
  /** Updates the index for hooks, and takes in calls that no host received. */
  readonly refresh: () => Promise<void>
  /**
   * Names the task that a session works on, and resolves with the session's id; `null`: no such session. Without an id, uses the one that
   * last reported something.
   */
  readonly nameTask: (
    workspaceId: string,
    sessionId: string | undefined,
    taskId: string | null,
  ) => Promise<string | null>
  readonly stop: () => Promise<void>
}

/** How long before the end of the hook's wait we answer, so that the answer arrives in time. */
const ANSWER_BEFORE_MS = 750
const WATCH_MS = 30_000
/** A session is over if it reported nothing for this long. */
const ACTIVE_MS = 12 * 3_600_000
const TIDY_EVERY_MS = 24 * 3_600_000
/** A session resumed after a longer pause gets a new base. */
const RESUMED_WITHIN_MS = 14 * TIDY_EVERY_MS
/** How many sessions are kept in memory, in addition to the record. */
const MAX_LIVE = 200
/** How many events before the end of an attempt are searched for the start of its heartbeat. */
const MAX_CYCLE_EVENTS = 1000
const MAX_REASONS = 20
const MAX_REASON = 1000
const MAX_FILES = 200

export function createSessionDesk(options: DeskOptions): SessionDesk {
  return new Desk(options)
}

/** What a call is about, once its workspace is found. */
interface Found {
  readonly workspace: SessionWorkspace
  readonly top: string
  readonly call: HookCall
  readonly agent: SessionAgent
  readonly sessionId: string
  readonly live: LiveSession
  readonly config: WorkspaceConfig
  /** Where the program is now. */
  readonly directory: string
}

/** What a stop is judged by. */
interface Stop {
  readonly top: string
  readonly said: Said
  /** False: the agent's message could not be read. */
  readonly isRead: boolean
  readonly tree: string | null
  /** On the desk's clock; the hook stops waiting then. */
  readonly answerByMs: number
}

class Desk implements SessionDesk {
  readonly #options: DeskOptions
  readonly #workshops = new Map<string, TurnWorkshop>()
  readonly #live = new Map<string, LiveSession>()
  readonly #ending = new AbortController()
  readonly #underWay = new Set<Promise<unknown>>()
  /** One at a time: two at once could leave the older index, and the second call would end before the first index is written. */
  readonly #inTurn = createSerializer()
  #index = ''
  #tidiedAtMs = Number.NEGATIVE_INFINITY

  constructor(options: DeskOptions) {
    this.#options = options
    if (options.watches) void this.#watch()
  }

  async stop(): Promise<void> {
    this.#ending.abort()
    await Promise.allSettled(this.#underWay)
  }

  async refresh(): Promise<void> {
    await this.#inTurn(() => this.#writeIndex())
    await this.#takeSpooled()
  }

  async #writeIndex(): Promise<void> {
    const { dataDirectory, log } = this.#options
    const indexed = this.#indexed()
    const workspaces = indexed.map(({ id, directory, common, prefix }) => ({ id, directory, common, prefix }))
    const since = this.#options.clock.nowMs() - ACTIVE_MS
    const sessions = indexed.flatMap(({ workspace }) =>
      workspace.ledger.state.sessions.flatMap(({ sessionId, lastAt }) =>
        Date.parse(lastAt) >= since ? [sessionId] : [],
      ),
    )
    const text = JSON.stringify({ workspaces, sessions: sessions.toSorted() })
    if (text === this.#index) return
    this.#index = text
    await writeHookIndex(dataDirectory, { workspaces, sessions }).catch((error: unknown) =>
      log.error('The index for hooks cannot be written', { error: String(error) }),
    )
  }

  async answer(passed: PassedCall): Promise<Readonly<Record<string, unknown>> | null> {
    const answerByMs = this.#options.clock.monotonicMs() + passed.waitMs - ANSWER_BEFORE_MS
    const found = this.#find(passed)
    if (found === null) return null
    try {
      return await this.#byEvent(found, passed.event, answerByMs)
    } catch (error) {
      this.#options.log.error('A hook could not be answered', { agent: passed.agent, error: String(error) })
      if (passed.event === 'stop')
        await this.#recordDeferred(found, `Pulseward failed: ${String(error).slice(0, 200)}`)
      return null
    }
  }

  async nameTask(
    workspaceId: string,
    sessionId: string | undefined,
    taskId: string | null,
  ): Promise<string | null> {
    const workspace = this.#options.workspaces().find(({ id }) => id === workspaceId)
    if (workspace === undefined) return null
    const { sessions } = workspace.ledger.state
    const session =
      sessionId === undefined ? sessions[0] : sessions.find((one) => one.sessionId === sessionId)
    if (session === undefined) return null
    await this.#append(workspace, {
      type: 'session-task-named',
      sessionId: session.sessionId,
      taskId,
      by: 'operator',
    })
    return session.sessionId
  }

  #indexed(): readonly (IndexedWorkspace & { readonly workspace: SessionWorkspace })[] {
    return this.#options
      .workspaces()
      .filter(({ config }) => config() !== null)
      .map((workspace) => {
        const { common, prefix } = placeInRepository(workspace.directory)
        return { id: workspace.id, directory: workspace.directory, common, prefix, workspace }
      })
  }

  #find({ agent, event, text, directory }: PassedCall): Found | null {
    const call = readHookCall(agent, event, text)
    const place = call === null ? null : this.#placeOf(agent, call, directory)
    const config = place?.workspace.config() ?? null
    if (place === null || call === null || config === null) return null
    const { workspace, top } = place
    // A call that names no session gets one session per folder.
    const sessionId = call.sessionId ?? `${agent} in ${top}`.slice(0, 200)
    const live = this.#liveOf(workspace, sessionId)
    if (live.startedIn === null || (event === 'start' && !call.isContinued)) live.startedIn = directory
    return { workspace, top, call, agent, sessionId, live, config, directory }
  }

  /** A session stays where it began: if its agent moves to another folder, it is still judged by its changes in this one. */
  #placeOf(
    agent: SessionAgent,
    call: HookCall,
    directory: string,
  ): { readonly workspace: SessionWorkspace; readonly top: string } | null {
    const indexed = this.#indexed()
    const place = workspaceFor(directory, indexed)
    const here = place === null ? null : { workspace: place.workspace.workspace, top: place.top }
    if (call.event === 'start' && !call.isContinued && here !== null) return here
    const since = this.#options.clock.nowMs() - ACTIVE_MS
    const [began] = indexed
      .flatMap(({ workspace }) => {
        const record = call.sessionId === null ? undefined : recordOf(workspace.ledger.state, call.sessionId)
        const isMeant = record?.agent === agent && Date.parse(record.lastAt) >= since
        return isMeant && existsSync(record.directory) ? [{ workspace, record }] : []
      })
      .toSorted((a, b) => Date.parse(b.record.lastAt) - Date.parse(a.record.lastAt))
    return began === undefined ? here : { workspace: began.workspace, top: began.record.directory }
  }

  #liveOf(workspace: SessionWorkspace, sessionId: string): LiveSession {
    const key = `${workspace.id}\0${sessionId}`
    const live = this.#live.get(key) ?? newLiveSession(recordOf(workspace.ledger.state, sessionId))
    // Moves it to the end, as the most recently used.
    this.#live.delete(key)
    this.#live.set(key, live)
    for (const [oldest, { isJudging }] of [...this.#live].slice(0, -MAX_LIVE))
      if (!isJudging) this.#live.delete(oldest)
    return live
  }

  async #byEvent(
    found: Found,
    event: HookEvent,
    answerByMs: number,
  ): Promise<Readonly<Record<string, unknown>> | null> {
    switch (event) {
      case 'start':
        await this.#ensureStarted(found, answerByMs)
        await this.#lookForSwitches(found)
        return null
      case 'prompt':
        return this.#promptGiven(found, answerByMs)
      case 'tool':
        found.live.isTurnOpen = true
        return this.#guarded(found, await guardTool(found.call, this.#guardPlace(found)))
      case 'config':
        return this.#guarded(found, await guardConfig(found.call, this.#guardPlace(found)))
      case 'stop':
        return this.#stopReached(found, answerByMs)
    }
  }

  #guardPlace({ agent, top, live, directory }: Found) {
    const projects = possibleProjectsOf(live, directory, top)
    return {
      agent: hookedAgentSchema.safeParse(agent).data ?? null,
      ...{ place: this.#options.installation, top, projects },
    }
  }

  /** Blocks an attempt to disarm the hook, and records it. */
  async #guarded(
    { workspace, agent, sessionId }: Found,
    refused: {
      readonly document: Readonly<Record<string, unknown>>
      readonly path: string
      readonly reason: string
    } | null,
  ): Promise<Readonly<Record<string, unknown>> | null> {
    if (refused === null) return null
    const { path, reason, document } = refused
    const known = workspace.ledger.state.sessions.some((one) => one.sessionId === sessionId)
    await this.#append(workspace, {
      ...{ type: 'hook-removed', agent, sessionId: known ? sessionId : null },
      ...{ path, reason, what: 'removed', prevented: true },
    })
    return document
  }

  async #promptGiven(found: Found, answerByMs: number): Promise<Readonly<Record<string, unknown>> | null> {
    const { live, call, workspace, sessionId, top } = found
    const wasOpen = live.isTurnOpen
    const before = recordOf(workspace.ledger.state, sessionId)
    const isKnown = before !== undefined
    const isUsers = !isOurs(live, call.prompt)
    await this.#ensureStarted(found, answerByMs)
    const tree = isKnown && isUsers ? await this.#workshop(workspace).treeNow(top) : null
    if (wasOpen) await this.#noteSilence(found, tree)
    const left = before?.turns.findLast((turn) => turn.tree !== null)?.tree ?? null
    promptGiven(live, call, this.#isInTime(answerByMs) ? tree : left)
    if (isUsers && !wasOpen) await this.#nameTaskOf(found)
    await this.#lookForSwitches(found)
    if (live.late.length === 0) return null
    const said = sayLate(live.late)
    live.late = []
    return contextFor(found.agent, said)
  }

  /** Assigns the session to the contract's task that its prompt names as `Task: ID`. */
  async #nameTaskOf({ workspace, call, sessionId }: Found): Promise<void> {
    const [named] = call.prompt === null ? [] : readSaid(call.prompt, []).description.taskIds
    const record = recordOf(workspace.ledger.state, sessionId)
    if (named === undefined || record?.taskId === named) return
    await this.#append(workspace, { type: 'session-task-named', sessionId, taskId: named, by: 'prompt' })
  }

  /** If it was read later, the hook was no longer waiting, and the agent may already have begun. */
  #isInTime(answerByMs: number): boolean {
    return this.#options.clock.monotonicMs() <= answerByMs
  }

  /**
   * The base of a session is the tree at its start or first prompt, if it is read before the agent begins. If the first call is a stop
   * (`readByMs` is `null`), it is the committed tree.
   */
  async #ensureStarted(
    { workspace, sessionId, agent, top, live }: Found,
    readByMs: number | null,
  ): Promise<void> {
    if (recordOf(workspace.ledger.state, sessionId) !== undefined) return
    const workshop = this.#workshop(workspace)
    const tree = readByMs === null ? await workshop.committedTree(top) : await workshop.treeNow(top)
    if (recordOf(workspace.ledger.state, sessionId) !== undefined) return
    live.lastTree = tree
    live.startedDuring = workspace.ledger.state.sessions.flatMap((one) =>
      one.directory === top && this.#live.get(`${workspace.id}\0${one.sessionId}`)?.isTurnOpen === true
        ? [one.sessionId]
        : [],
    )
    const sawStart = readByMs !== null && this.#isInTime(readByMs)
    await this.#append(workspace, {
      type: 'session-started',
      sessionId,
      agent,
      directory: top,
      tree,
      sawStart,
    })
    // Before the first call, some workspaces may not be open yet.
    if (this.#index !== '') await this.refresh()
  }

  async #stopReached(found: Found, answerByMs: number): Promise<Readonly<Record<string, unknown>> | null> {
    const { workspace, call, live, sessionId } = found
    const arrival = { atMs: this.#options.clock.monotonicMs(), transcriptBytes: bytesOf(call.transcriptPath) }
    await this.#ensureStarted(found, null)
    await this.#lookForSwitches(found)
    const record = recordOf(workspace.ledger.state, sessionId)
    if (record === undefined) return null
    if (call.inFlight !== null) {
      await this.#recordDeferred(found, call.inFlight)
      return null
    }
    const { top, tree, isElsewhere } = await this.#workOf(found, record)
    // A message from elsewhere is about the files there, so it makes no claim about these and can't verify them.
    const { message, isRead } = isElsewhere
      ? { message: null, isRead: false }
      : await messageOf(call, this.#options.clock)
    const key = JSON.stringify([
      call.turnId,
      call.messageId,
      call.isAgain,
      tree,
      message,
      call.turnId === null ? live.prompt : null,
    ])
    for (const [known, answered] of live.answered)
      if (answered !== null && !isSameStop(answered, arrival)) live.answered.delete(known)
    if (live.answered.has(key)) return null
    live.answered.set(key, null)
    let isSentBack = false
    if (top === record.directory) live.lastTree = tree
    try {
      const given = stopReached(live, call, record.turns)
      if (given !== null) await this.#nameTaskOf({ ...found, call: given })
      const said = readSaid(withoutTop(message ?? '', top), Object.keys(found.config.probes))
      const last = record.turns.findLast(({ verdict }) => verdict !== null)
      const pause = pauseOf({
        inFlight: null,
        isQuestion: said.isQuestion,
        claims: said.claims,
        tree,
        lastTree: last?.tree ?? record.tree,
      })
      const wasRefused = last !== undefined && (last.blocked || last.wouldBlock)
      if (pause === 'question') {
        await this.#recordDeferred(found, 'the turn ends with a question', tree)
        return null
      }
      if (pause === 'nothing-new' && !wasRefused) {
        if (!isRead) await this.#recordDeferred(found, 'what the agent said could not be read', tree)
        return null
      }
      const answer = await this.#judgeInTime(found, { top, said, isRead, tree, answerByMs })
      isSentBack = answer !== null
      return answer
    } finally {
      const atMs = this.#options.clock.monotonicMs()
      live.answered.set(key, { ...arrival, atMs, isSentBack })
    }
  }

  /**
   * Returns the work tree that a stop is about: where the session began if anything changed there, else another work tree of the same
   * repository that the agent moved to. An agent that broke the first tree does not get away with it by ending its turn in another.
   */
  async #workOf(
    { workspace, top, directory, live }: Found,
    { turns }: SessionRecord,
  ): Promise<{ readonly top: string; readonly tree: string | null; readonly isElsewhere: boolean }> {
    const tree = await this.#workshop(workspace).treeNow(top)
    const here = placeInRepository(directory)
    const began = placeInRepository(top)
    const isOther = here.top !== null && here.top !== began.top && here.common === began.common
    if (!isOther || here.top === null) return { top, tree, isElsewhere: false }
    const last = turns.findLast(({ verdict }) => verdict !== null)
    const isRefused = last?.tree === tree && (last.blocked || last.wouldBlock || last.stopped)
    if (tree !== live.lastTree || isRefused) return { top, tree, isElsewhere: true }
    return { top: here.top, tree: await this.#workshop(workspace).treeNow(here.top), isElsewhere: false }
  }

  /** If judging takes longer than the program waits, it is finished anyway and reported with the next prompt. */
  async #judgeInTime(found: Found, stop: Stop): Promise<Readonly<Record<string, unknown>> | null> {
    const { clock, log } = this.#options
    const startedMs = clock.monotonicMs()
    const waiting = new AbortController()
    const late = { is: false }
    const judging = this.#measure(found, stop).then((measured) =>
      this.#decide(found, stop, measured, late, startedMs),
    )
    this.#underWay.add(judging)
    found.live.isJudging = true
    judging
      .catch((error: unknown) => {
        // If the program no longer waits, only the log can report this.
        if (late.is && !this.#ending.signal.aborted)
          log.error('A turn could not be judged', { error: String(error) })
      })
      .finally(() => {
        this.#underWay.delete(judging)
        found.live.isJudging = false
      })
    const limit = Math.max(0, stop.answerByMs - startedMs)
    const timeUp = clock.sleep(limit, waiting.signal).then(() => {
      late.is = true
      return null
    })
    try {
      return await Promise.race([judging, timeUp])
    } finally {
      waiting.abort()
      timeUp.catch(() => undefined)
    }
  }

  async #measure(
    found: Found,
    { top, said, isRead, tree }: Stop,
  ): Promise<{ readonly turn: MeasuredTurn; readonly isCached: boolean } | null> {
    const { workspace, sessionId, config, live } = found
    const record = recordOf(workspace.ledger.state, sessionId)
    if (record === undefined || tree === null) return null
    const workshop = this.#workshop(workspace)
    const base = await this.#baseOf(workshop, record, top)
    if (base === null) return null
    const policy: SessionPolicy = { config, contract: await workspace.contract() }
    const taskIds = [
      ...new Set([...(record.taskId === null ? [] : [record.taskId]), ...said.description.taskIds]),
    ]
    const claimed = said.description.entries.filter(({ claim }) => claim.status === 'done')
    // Checks of a task count where it is claimed to be done; until then it is work in progress.
    const isDone =
      said.isDone &&
      (claimed.length === 0 || claimed.some(({ taskId }) => taskId === null || taskIds.includes(taskId)))
    const asked = isDone ? taskIds : []
    const subject = {
      ...{ top, policy, base: base.tree, head: tree },
      description: said.description,
      taskIds: asked,
      beside: await this.#besideOf(workspace, record),
      isBaseKnown: base.isKnown,
      isMessageRead: isRead,
      runsChecks: tree !== base.tree || said.needsChecks || asked.length > 0,
    }
    const { laterBases, measured } = live
    const key = sha256(JSON.stringify(subject))
    if (measured?.key === key && (measured.turn.isByBaseAlone || measured.laterBases === laterBases))
      return { turn: measured.turn, isCached: true }
    const turn = await workshop.measure({
      ...subject,
      laterBases: await this.#readable(workshop, top, laterBases),
      signal: this.#ending.signal,
    })
    // A check that could not be run may work the next time.
    const isWhole = turn.facts.gates.every(({ status }) => status !== 'unavailable')
    live.measured = isWhole ? { key, laterBases, turn } : null
    return { turn, isCached: false }
  }

  /** Returns a phrase that says who else works in the same tree; `null`: no one known. */
  async #besideOf(workspace: SessionWorkspace, own: SessionRecord): Promise<string | null> {
    const { sessions } = workspace.ledger.state
    if (await this.#hasHeartbeat(workspace, own)) return 'a heartbeat'
    const others = sessions.map((one) => {
      const live = this.#live.get(`${workspace.id}\0${one.sessionId}`)
      return { ...one, startedDuring: live?.startedDuring ?? [] }
    })
    return isWorkedBeside(own, others) ? 'another session' : null
  }

  /**
   * Whether a heartbeat works in the session's folder, or changed files there since the session started. One that was started by hand and
   * has ended is no excuse: the session's agent could have started it.
   */
  async #hasHeartbeat({ directory, config, ledger }: SessionWorkspace, own: SessionRecord): Promise<boolean> {
    if ((placeInRepository(directory).top ?? directory) !== own.directory) return false
    const { attempts, landings, running } = ledger.state
    const isIsolated = config()?.workspace.isolation === 'worktree'
    if (running?.attempt != null && !isIsolated) return true
    const cycles = new Set<number>()
    for (const { seq, cycle } of attemptsBeside(own, attempts, { isIsolated, landings })) {
      if (cycles.has(cycle)) continue
      cycles.add(cycle)
      const from = Math.max(1, seq - MAX_CYCLE_EVENTS)
      const events = await ledger.read(from, seq - from)
      const began = events.findLast((event) => event.type === 'cycle-started' && event.cycle === cycle)
      if (began?.type === 'cycle-started' && began.trigger !== 'manual') return true
    }
    return false
  }

  async #readable(workshop: TurnWorkshop, top: string, trees: readonly string[]): Promise<readonly string[]> {
    const known = await Promise.all(trees.map((tree) => workshop.has(top, tree)))
    return trees.filter((_, at) => known[at])
  }

  /** `isKnown`: true if the agent can't have moved the base. */
  async #baseOf(
    workshop: TurnWorkshop,
    { tree, sawStart }: SessionRecord,
    top: string,
  ): Promise<{ readonly tree: string; readonly isKnown: boolean } | null> {
    if (tree !== null && (await workshop.has(top, tree))) return { tree, isKnown: sawStart }
    const committed = await workshop.committedTree(top)
    return committed === null ? null : { tree: committed, isKnown: false }
  }

  async #decide(
    found: Found,
    { top, tree }: Stop,
    measured: { readonly turn: MeasuredTurn; readonly isCached: boolean } | null,
    late: { readonly is: boolean },
    startedMs: number,
  ): Promise<Readonly<Record<string, unknown>> | null> {
    const { workspace, sessionId, agent, live, config } = found
    const record = recordOf(workspace.ledger.state, sessionId)
    if (record === undefined || this.#ending.signal.aborted) return null
    const mode = await this.#modeOf(found)
    const judgement: TurnJudgement =
      measured === null
        ? {
            verdict: null,
            contradiction: false,
            refutations: [],
            reasons: ['the tree could not be read, so nothing was measured'],
          }
        : judgeTurn(measured.turn.facts)
    const prompt = String(live.prompt)
    const turns = record.turns
    const isLate = late.is
    const answer = answerStop({ mode, judgement, tree, prompt, turns, isLate })
    const said = answer.blocked ? sayRefutation(judgement.refutations) : null
    if (isLate && mode === 'gate') live.late = judgement.refutations
    if (said !== null) live.said = said
    if (answer.blocked) live.isTurnOpen = true
    await this.#append(workspace, {
      type: 'turn-judged',
      ...{ sessionId, agent, prompt, mode, tree, said },
      verdict: judgement.verdict,
      contradiction: judgement.contradiction,
      ...answer,
      deferred: isLate,
      cached: measured?.isCached ?? false,
      taskId: record.taskId,
      reasons: judgement.reasons.slice(0, MAX_REASONS).map((reason) => cut(reason, MAX_REASON)),
      comparisons: comparisonsOf(measured?.turn ?? null),
      filesChanged: (measured?.turn.changed ?? []).slice(0, MAX_FILES),
      filesChangedCount: measured?.turn.changed.length ?? 0,
      durationMs: Math.round(this.#options.clock.monotonicMs() - startedMs),
      points:
        config.sessions?.score === true
          ? turnPoints(judgement, config.scoring, {
              ...{ tree, turns, sessions: workspace.ledger.state.sessions },
              isBlank:
                judgement.verdict === 'verified' && (await this.#isBlank(workspace, record, top, tree)),
            })
          : 0,
    })
    return said === null ? null : { decision: 'block', reason: said }
  }

  /** Whether the tree differs only in white space from one that the session began with or was judged by. */
  async #isBlank(
    workspace: SessionWorkspace,
    record: SessionRecord,
    top: string,
    tree: string | null,
  ): Promise<boolean> {
    if (tree === null) return false
    const known = [record.tree, ...record.turns.flatMap((turn) => (turn.verdict === null ? [] : [turn.tree]))]
    for (const before of new Set(known))
      if (before !== null && (await this.#workshop(workspace).isBlankEdit(top, before, tree))) return true
    return false
  }

  /**
   * Returns the mode, and reports a session that could be sent back before and no longer can: its agent can write where the mode is kept.
   */
  async #modeOf({ workspace, agent, sessionId, live }: Found): Promise<SessionMode> {
    const { dataDirectory } = this.#options
    const mode = await modeOf(dataDirectory, agent)
    const before = live.mode ?? recordOf(workspace.ledger.state, sessionId)?.turns.at(-1)?.mode
    live.mode = mode
    if (before === 'gate' && mode === 'shadow')
      await this.#append(workspace, {
        ...{ type: 'hook-removed', agent, sessionId, path: hooksFile(dataDirectory) },
        ...{ what: 'weakened', prevented: false },
        reason: 'The mode was changed from gate to shadow while the session ran.',
      })
    return mode
  }

  async #recordDeferred(found: Found, reason: string, tree: string | null = null): Promise<void> {
    const { workspace, sessionId, agent, live } = found
    const record = recordOf(workspace.ledger.state, sessionId)
    if (record === undefined) return
    const mode = await this.#modeOf(found)
    await this.#append(workspace, {
      type: 'turn-judged',
      ...{ sessionId, agent, mode, tree, prompt: String(live.prompt) },
      ...{ verdict: null, contradiction: false, blocked: false, wouldBlock: false, stopped: false },
      ...{ deferred: true, cached: false, taskId: record.taskId, reasons: [reason], comparisons: [] },
      ...{ said: null, filesChanged: [], filesChangedCount: 0, durationMs: 0, points: 0 },
    })
  }

  /** Records that a turn changed files but ended without a stop. */
  async #noteSilence({ workspace, sessionId, agent, live }: Found, tree: string | null): Promise<void> {
    const before = live.pending?.tree ?? live.lastTree
    if (tree === null || before === null || tree === before) return
    await this.#append(workspace, {
      type: 'session-silent',
      ...{ sessionId, agent },
      reason:
        'A turn changed files, and its end was not reported: it was interrupted, or hooks were switched off.',
    })
  }

  /** Records project switches that keep the program from calling us at all, each once per session. */
  async #lookForSwitches({ workspace, agent, sessionId, top, live }: Found): Promise<boolean> {
    const known = hookedAgentSchema.safeParse(agent).data
    if (known === undefined) return false
    const off = await whyOff(this.#options.installation, known, projectsOf(live, top))
    if (off === null || live.toldOff.has(off.path)) return false
    live.toldOff.add(off.path)
    await this.#append(workspace, {
      ...{ type: 'hook-removed', agent, sessionId, path: off.path },
      ...{ reason: `Hooks are switched off: ${off.reason}.`, what: 'removed', prevented: false },
    })
    return true
  }

  async #takeSpooled(): Promise<void> {
    for (const { agent, directory, sessionId, at, why } of await takeSpooled(this.#options.dataDirectory)) {
      const text = JSON.stringify({ cwd: directory, ...(sessionId !== null && { session_id: sessionId }) })
      const found = this.#find({ agent, event: 'stop', text, directory, waitMs: 0 })
      if (found === null) continue
      await this.#ensureStarted(found, null)
      const whyInWords =
        why === 'away'
          ? 'Pulseward was not running'
          : why === 'deadline'
            ? 'the measuring took too long'
            : `the hook failed (${why})`
      await this.#recordDeferred(found, `${whyInWords} at ${at}`)
    }
  }

  /** Looks for hooks that were removed or switched off while sessions run, because such a hook cannot report it. */
  async #watch(): Promise<void> {
    const { clock, installation, dataDirectory, log } = this.#options
    while (!this.#ending.signal.aborted) {
      await clock.sleep(WATCH_MS, this.#ending.signal).catch(() => undefined)
      if (this.#ending.signal.aborted) return
      try {
        await this.refresh()
        await this.#tidy()
        for (const agent of await wantedAgents(dataDirectory)) {
          const isGone = !(await isInstalled(installation, agent))
          for (const { workspace, record, live } of this.#running(agent)) {
            const found = { workspace, agent, live, sessionId: record.sessionId, top: record.directory }
            const isOff = await this.#lookForSwitches(found as Found)
            const isNewlyGone = isGone && !live.toldOff.has('entry')
            if (isNewlyGone) {
              live.toldOff.add('entry')
              await this.#append(workspace, {
                ...{
                  type: 'hook-removed',
                  agent,
                  sessionId: record.sessionId,
                  what: 'removed',
                  prevented: false,
                },
                path: '',
                reason: `The entry of the hook is no longer in the settings of ${SESSION_AGENT_NAMES[agent]}.`,
              })
            }
            if (isOff || isNewlyGone)
              await this.#noteSilence(
                found as Found,
                await this.#workshop(workspace).treeNow(record.directory),
              )
          }
        }
      } catch (error) {
        log.error('Could not check the hooks', { error: String(error) })
      }
    }
  }

  /** Runs once a day; keeps the trees of sessions that may continue. */
  async #tidy(): Promise<void> {
    const now = this.#options.clock.nowMs()
    if (now - this.#tidiedAtMs < TIDY_EVERY_MS) return
    this.#tidiedAtMs = now
    for (const workspace of this.#options.workspaces()) {
      const trees = workspace.ledger.state.sessions
        .filter(({ lastAt }) => now - Date.parse(lastAt) < RESUMED_WITHIN_MS)
        .flatMap(({ tree, turns }) => [tree, ...turns.map((turn) => turn.tree)])
        .filter((tree) => tree !== null)
      await this.#workshop(workspace).tidy([...new Set(trees)], '1.day.ago')
    }
  }

  #running(agent: SessionAgent) {
    const now = this.#options.clock.nowMs()
    return this.#options.workspaces().flatMap((workspace) =>
      workspace.ledger.state.sessions
        .filter((one) => one.agent === agent && now - Date.parse(one.lastAt) < ACTIVE_MS)
        .flatMap((record) => {
          const live = this.#live.get(`${workspace.id}\0${record.sessionId}`)
          return live?.isTurnOpen === true ? [{ workspace, record, live }] : []
        }),
    )
  }

  async #append(workspace: SessionWorkspace, event: EventBody): Promise<void> {
    await workspace.ledger.append(event)
    workspace.changed()
  }

  #workshop(workspace: SessionWorkspace): TurnWorkshop {
    const known = this.#workshops.get(workspace.id)
    if (known !== undefined) return known
    const { contain, cache, version, clock, log } = this.#options
    const workshop = createTurnWorkshop({
      keptIn: join(workspace.dataDirectory, 'sessions'),
      workspace: workspace.directory,
      ...{ contain, cache, version, clock, log },
    })
    this.#workshops.set(workspace.id, workshop)
    return workshop
  }
}

function recordOf(
  { sessions }: Pick<WorkspaceState, 'sessions'>,
  sessionId: string,
): SessionRecord | undefined {
  return sessions.find((one) => one.sessionId === sessionId)
}

/** Returns the agent's last message. `isRead`: true if a missing message means that it said nothing. */
async function messageOf(
  { lastMessage, transcriptPath, isUnreadable }: HookCall,
  clock: Clock,
): Promise<{ readonly message: string | null; readonly isRead: boolean }> {
  if (lastMessage !== null || transcriptPath === null) return { message: lastMessage, isRead: !isUnreadable }
  const message = await lastMessageIn(transcriptPath, clock)
  return { message: message ?? null, isRead: message !== undefined && !isUnreadable }
}

/** Agents name files by absolute path; claims are compared with paths relative to the top. */
function withoutTop(text: string, top: string): string {
  return text.replaceAll(`${top}/`, '')
}

/** Returns what is added to the next prompt, in the program's format. */
function contextFor(agent: SessionAgent, text: string): Readonly<Record<string, unknown>> | null {
  const eventName = agent === 'gemini' ? 'BeforeAgent' : 'UserPromptSubmit'
  if (agent === 'copilot' || agent === 'cursor' || agent === 'opencode') return null
  return { hookSpecificOutput: { hookEventName: eventName, additionalContext: text } }
}

const MAX_COMPARISONS = 60

function comparisonsOf(measured: MeasuredTurn | null): EventOf<'turn-judged'>['comparisons'] {
  return (measured?.facts.claims ?? [])
    .filter(({ kind }) => !NEVER_JUDGED.has(kind))
    .slice(0, MAX_COMPARISONS)
    .map(({ subject, kind, claimed, measured: real, equal }) => ({
      subject: subject === '' ? CLAIM_SUBJECTS[kind] : subject,
      claimed,
      measured: real,
      agrees: equal,
    }))
}

function bytesOf(path: string | null): number | null {
  const stats = path === null ? undefined : statAt(path)
  return typeof stats === 'object' ? stats.size : null
}
