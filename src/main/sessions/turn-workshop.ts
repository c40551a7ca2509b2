import { createHash } from 'node:crypto'
import { readdir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { holdClaims, plainBox } from '../../core/change/claims.ts'
import type { Description } from '../../core/change/description.ts'
import type { ChangeClaim } from '../../core/change/types.ts'
import type { Contract } from '../../core/contract/types.ts'
import type { TurnFacts } from '../../core/session/judge-turn.ts'
import type { BaseCache } from '../change/base-cache.ts'
import { TreeFiles } from '../change/base-files.ts'
import { claimContext, measuredOf } from '../change/claim-context.ts'
import { lostOf, measureScopes, roomOf, type ScopeResult } from '../change/measure-scopes.ts'
import { type ObjectReader, openObjects } from '../change/object-reader.ts'
import { guardOf, type Scope } from '../change/policy.ts'
import { openRepository, type Repository } from '../change/repository.ts'
import { custodyOf, loadedOf, mayChangeOf, readChanges } from '../change/verify-change.ts'
import type { VerifyOptions } from '../change/verify-options.ts'
import { readWorkTree } from '../change/work-tree.ts'
import { isBlankSince } from '../files/blank-since.ts'
import type { Clock } from '../ports/clock.ts'
import type { Contain } from '../ports/containment.ts'
import type { Log } from '../ports/log.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import { createSerializer } from '../process/serialize.ts'
import { runGit } from '../snapshot/git-command.ts'
import type { TreeChange } from '../snapshot/git-status.ts'
import { type RawPath, toText } from '../snapshot/raw-path.ts'

/** What a workspace's turns are judged by: always what the operator approved, never what is in the tree. */
export interface SessionPolicy {
  readonly config: WorkspaceConfig
  /** `null` if there is no readable contract. */
  readonly contract: SessionContract | null
}

export interface SessionContract {
  readonly text: string
  readonly contract: Contract
}

export interface WorkshopOptions {
  /** Where the trees that turns are compared with are kept: in Pulseward's data folder. */
  readonly keptIn: string
  /** The workspace's own folder; a session may work in another work tree of its repository. */
  readonly workspace: string
  readonly contain: (top: string, config: WorkspaceConfig) => Contain | undefined
  readonly cache: BaseCache | null
  readonly version: string
  readonly clock: Clock
  readonly log: Log
}

/** What a turn is judged by. */
export interface TurnSubject {
  readonly top: string
  readonly policy: SessionPolicy
  readonly base: string
  readonly head: string
  /** Trees at the start of later prompts: a claim may only be about what came after them. */
  readonly laterBases: readonly string[]
  readonly description: Description
  readonly taskIds: readonly string[]
  readonly beside: string | null
  /** False: the agent may have written the base. */
  readonly isBaseKnown: boolean
  /** False: the unread part of the message may contain a claim. */
  readonly isMessageRead: boolean
  /** False: nothing that requires running something is checked. */
  readonly runsChecks: boolean
  readonly signal: AbortSignal
}

export interface MeasuredTurn {
  readonly facts: TurnFacts
  readonly changed: readonly string[]
  /** The base contradicts no claim, so the trees at the start of later prompts were not compared. */
  readonly isByBaseAlone: boolean
}

/** Reads trees of a workspace's repository and measures turns in it, one at a time. */
export interface TurnWorkshop {
  /** Returns the current tree of the work tree at `top` and keeps it for later; `null` if it cannot be read. */
  readonly treeNow: (top: string) => Promise<string | null>
  /** Returns the tree of `HEAD`; `null` if there is none. */
  readonly committedTree: (top: string) => Promise<string | null>
  /** Whether a kept tree can still be read. */
  readonly has: (top: string, tree: string) => Promise<boolean>
  /** Whether two trees differ only in white space, empty new files and modes. False if one of them can no longer be read. */
  readonly isBlankEdit: (top: string, before: string, after: string) => Promise<boolean>
  readonly measure: (subject: TurnSubject) => Promise<MeasuredTurn>
  /** Removes kept trees that are older than git's `expire` allows, except these. Never rejects. */
  readonly tidy: (trees: readonly string[], expire: string) => Promise<void>
}

/** How many results of checks on a pair of trees are kept in memory. */
const KEPT_RESULTS = 8

export function createTurnWorkshop(options: WorkshopOptions): TurnWorkshop {
  // Reading a tree takes a moment; measuring takes as long as its checks, and no start may wait for that.
  const [readInTurn, measureInTurn] = [createSerializer(), createSerializer()]
  const results = new Map<string, readonly ScopeResult[]>()
  /** A stop is answered within some tens of milliseconds, and each git call takes four, so what can't have changed isn't read again. */
  const repositories = new Map<string, Repository>()
  const readable = new Set<string>()

  const keptFor = ({ top }: Repository, folder: string): string =>
    join(
      options.keptIn,
      createHash('sha256')
        .update(top ?? folder)
        .digest('hex')
        .slice(0, 16),
    )

  const reading = <T>(
    top: string,
    work: (repository: Repository, objects: ObjectReader) => Promise<T>,
  ): Promise<T> =>
    readInTurn(async () => {
      const repository = await openRepository(top, repositories.get(top))
      repositories.set(top, repository)
      return work(repository, await openObjects(repository, { kept: keptFor(repository, top) }))
    })

  return {
    treeNow: (top) =>
      reading(top, readWorkTree).catch((error: unknown) => {
        options.log.warn('The tree of a session cannot be read', { top, error: String(error) })
        return null
      }),
    committedTree: (top) => reading(top, async (repository) => treeOfHead(repository)).catch(() => null),
    has: async (top, tree) => {
      const key = `${top}\0${tree}`
      if (readable.has(key)) return true
      const isReadable = await reading(
        top,
        async (_repository, objects) => (await objects.run(['cat-file', '-e', `${tree}^{tree}`])).ok,
      )
      if (isReadable) readable.add(key)
      return isReadable
    },
    isBlankEdit: (top, before, after) =>
      reading(top, (_repository, objects) => isBlankBetween(objects, before, after)).catch(() => false),
    tidy: async (trees, expire) => {
      readable.clear()
      const names = await readdir(options.keptIn).catch(() => [])
      for (const name of names)
        await readInTurn(() => prune(join(options.keptIn, name), trees, expire)).catch((error: unknown) =>
          options.log.warn('Kept trees of sessions cannot be removed', { name, error: String(error) }),
        )
    },
    measure: (subject) =>
      measureInTurn(async () => {
        const repository = await openRepository(subject.top)
        // Checks run in this folder, so it must be readable for them: the data folder is hidden from them.
        const objects = await openObjects(repository, { borrowed: keptFor(repository, subject.top) })
        try {
          return await measureTurn(options, results, { repository, objects }, subject)
        } finally {
          await objects.close()
        }
      }),
  }
}

/** How many files' contents are read at once. */
const BLANK_AT_ONCE = 100
const MAX_BLANK_BYTES = 1024 * 1024

async function isBlankBetween(objects: ObjectReader, from: string, to: string): Promise<boolean> {
  const changes = [...(await objects.changes(from, to))]
  for (let at = 0; at < changes.length; at += BLANK_AT_ONCE) {
    const some = changes.slice(at, at + BLANK_AT_ONCE)
    const ids = some.flatMap(([, { before, after }]) => [before, after].flatMap((side) => side?.id ?? []))
    const contents = await objects.read(ids, MAX_BLANK_BYTES)
    if (!some.every((change) => isBlankChange(change, contents))) return false
  }
  return true
}

/** White space, a new empty file or another mode: an agent can make any number of such changes, each a tree that never existed before. */
function isBlankChange(
  [path, { before, after }]: readonly [RawPath, TreeChange],
  contents: ReadonlyMap<string, Buffer>,
): boolean {
  if (after === null || ![before, after].every((side) => side === null || side.mode.startsWith('100')))
    return false
  const [was, now] = [before === null ? Buffer.alloc(0) : contents.get(before.id), contents.get(after.id)]
  if (was === undefined || now === undefined) return false
  return before?.id === after.id || isBlankSince(toText(path), was, now)
}

async function prune(kept: string, trees: readonly string[], expire: string): Promise<void> {
  const repository = { gitDirectory: join(kept, 'git'), top: kept }
  const asked = await runGit(kept, ['cat-file', '--batch-check'], {
    repository,
    input: Buffer.from(trees.map((tree) => `${tree}\n`).join('')),
  })
  const known = asked.stdout.toString('utf8').matchAll(/^([0-9a-f]{40,64}) tree /gm)
  if (asked.ok)
    await runGit(kept, ['prune', `--expire=${expire}`, '--', ...[...known].map(([, id]) => id ?? '')], {
      repository,
    })
}

async function treeOfHead({ run }: Repository): Promise<string | null> {
  const output = await run(['rev-parse', '--verify', '--quiet', 'HEAD^{tree}'])
  const tree = output.stdout.toString('utf8').trim()
  return output.ok && tree !== '' ? tree : null
}

interface Opened {
  readonly repository: Repository
  readonly objects: ObjectReader
}

async function measureTurn(
  options: WorkshopOptions,
  results: Map<string, readonly ScopeResult[]>,
  { repository, objects }: Opened,
  subject: TurnSubject,
): Promise<MeasuredTurn> {
  const { base: baseTree, head: headTree, description, taskIds } = subject
  const scope = await scopeOf(options, subject.policy)
  const base = new TreeFiles(objects, await objects.files(baseTree))
  const head = new TreeFiles(objects, await objects.files(headTree))
  const raw = await objects.changes(baseTree, headTree)
  const guards = [await guardOf(base, scope)]
  const changes = await readChanges(objects, raw, guards)
  const tasks = (scope.contract?.tasks ?? [])
    .filter(({ id }) => taskIds.includes(id))
    .map((task) => ({
      task,
      claim: description.entries.findLast(({ taskId }) => taskId === task.id)?.claim ?? null,
    }))
  const named = tasks.length === 0 ? new Map() : new Map([[scope, tasks]])
  const loaded = await loadedOf(head, [scope], guards)
  const custody = custodyOf(changes, guards, mayChangeOf(named), { head, loaded })
  const measured = subject.runsChecks
    ? await remembered(results, keyOf(subject, scope), () =>
        measureScopes(verifyOptions(options, subject), repository, objects, {
          trees: { base: baseTree, head: headTree, workTree: headTree },
          scopes: [scope],
          custody,
          changes,
          raw,
          named,
          base,
          head,
        }),
      )
    : []
  const revisions = { base: 'HEAD', head: 'HEAD' }
  const heldAgainst = async (tree: string): Promise<readonly ChangeClaim[]> => {
    const isBase = tree === baseTree
    const files = isBase ? base : new TreeFiles(objects, await objects.files(tree))
    const difference = isBase ? raw : await objects.changes(tree, headTree)
    const texts = isBase ? changes : await readChanges(objects, difference, guards)
    const found = isBase ? custody : custodyOf(texts, guards, mayChangeOf(named), { head, loaded })
    const context = await claimContext({
      ...{ repository, revisions, changes: texts, raw: difference, base: files, head, custody: found },
      ...{ description, scopes: [scope] },
    })
    return holdClaims(description, { ...context, ...measuredOf([scope], measured) })
  }
  const claims = await heldAgainst(baseTree)
  const contradicted = claims.some(({ equal }) => equal === false)
  const later = contradicted ? await Promise.all(subject.laterBases.map(heldAgainst)) : []
  const whole = measured.map((each) => each.whole)
  return {
    facts: {
      claims: claims.map((claim) => notTrueOfAny(claim, later)),
      findings: custody.findings,
      gates: whole.flatMap(({ gates }) => gates),
      cleanRoom: roomOf(measured),
      lost: lostOf(measured, custody),
      silenced: whole.flatMap(({ silenced }) => silenced),
      unreached: measured.flatMap(({ unreached }) => unreached),
      tasks: measured.flatMap((each) => each.tasks),
      checks: whole.flatMap(({ checks }) => checks),
      beside: subject.beside,
      isBaseKnown: subject.isBaseKnown,
      isMessageRead: subject.isMessageRead,
    },
    changed: changes.map(({ path }) => path),
    isByBaseAlone: !contradicted,
  }
}

/** "No test changed" may be about the last prompt, and "I added x" about the whole session: a claim that is true of either is not a contradiction. */
function notTrueOfAny(claim: ChangeClaim, later: readonly (readonly ChangeClaim[])[]): ChangeClaim {
  if (claim.equal !== false) return claim
  for (const claims of later) {
    const same = claims.find(
      ({ kind, subject, claimed }) =>
        kind === claim.kind && subject === claim.subject && claimed === claim.claimed,
    )
    if (same !== undefined && same.equal !== false) return same
  }
  return claim
}

async function remembered(
  results: Map<string, readonly ScopeResult[]>,
  key: string,
  measure: () => Promise<readonly ScopeResult[]>,
): Promise<readonly ScopeResult[]> {
  const known = results.get(key)
  if (known !== undefined) return known
  const measured = await measure()
  // A check that could not be run may work the next time.
  if (measured.some(({ whole }) => whole.gates.some(({ status }) => status === 'unavailable')))
    return measured
  results.set(key, measured)
  for (const oldest of [...results.keys()].slice(0, -KEPT_RESULTS)) results.delete(oldest)
  return measured
}

function keyOf({ top, base, head, taskIds, description }: TurnSubject, scope: Scope): string {
  // A report about a task decides how the task is judged.
  const entries = taskIds.length === 0 ? [] : description.entries
  return JSON.stringify([top, base, head, scope.sha256, taskIds, entries])
}

async function scopeOf({ workspace }: WorkshopOptions, { config, contract }: SessionPolicy): Promise<Scope> {
  const place = await openRepository(workspace)
  const real = await realpath(workspace).catch(() => workspace)
  const folder =
    place.top === null
      ? ''
      : relative(await realpath(place.top), real)
          .split(sep)
          .join('/')
  const { probes, gates, judge, approvedCommands, parallelChecks = 1 } = config
  const { interventions, agent, boxes = {} } = config
  const text = contract?.text ?? ''
  return {
    folder,
    contractPath: contract === null ? null : join(folder, 'HEARTBEAT.md'),
    configPath: join(folder, 'pulseward.toml'),
    contract: contract?.contract ?? null,
    configuration: {
      ...{ probes, gates, judge, approvedCommands, parallelChecks, interventions },
      containment: agent.containment,
    },
    boxes: new Map(Object.entries(boxes).map(([box, check]) => [plainBox(box), check])),
    source: 'base',
    sha256: createHash('sha256').update(text).update('\0').update(JSON.stringify(config)).digest('hex'),
    configSha256: null,
  }
}

function verifyOptions(
  { contain, cache, version, clock, log }: WorkshopOptions,
  { top, policy, signal }: TurnSubject,
): VerifyOptions {
  return {
    directory: top,
    base: undefined,
    head: undefined,
    worktree: true,
    part: 'all',
    taskIds: [],
    claims: '',
    configuration: null,
    // The operator has approved what is run.
    consents: async () => true,
    contain: async (there) => contain(there, policy.config),
    // The agent works together with its user: otherwise each turn would have to wait until a type checker has read everything again.
    hidesCaches: 'quick',
    ...{ cache, version, clock, log, signal },
  }
}
