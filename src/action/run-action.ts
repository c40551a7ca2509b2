import { randomUUID } from 'node:crypto'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { renderChange } from '../core/change/formats/render.ts'
import { plain, verdictWords } from '../core/change/formats/words.ts'
import { exitCodeOf } from '../core/change/judge-change.ts'
import { CHANGE_PARTS, type ChangePart, type ChangeVerdict, type Finding } from '../core/change/types.ts'
import { withoutCommands } from '../core/text/harmless.ts'
import { predicateOfChange } from '../main/attestation/attest-change.ts'
import { verifyHere } from '../main/change/open-verify.ts'
import { ChangeProblem, openRepository } from '../main/change/repository.ts'
import { SANDBOX_SETTINGS, type SandboxConfig } from '../main/ports/containment.ts'
import { runGit } from '../main/snapshot/git-command.ts'
import { type JobEvent, readEvent } from './event.ts'
import { fetchObjects } from './fetch-objects.ts'
import { type CheckRun, type Forge, ForgeProblem, openForge } from './forge.ts'

/** How a job is run: its environment and where its output goes. */
export interface ActionOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly version: string
  /** Folder of the action. */
  readonly installation: string
  readonly print: (text: string) => void
  readonly backOffMs?: number
}

interface Inputs {
  readonly base: string
  readonly part: ChangePart
  readonly blocks: boolean
  readonly contract: string
  readonly claims: ReadonlySet<string>
  readonly held: 'fail' | 'neutral'
  readonly comments: boolean
  readonly sarif: string
  readonly junit: string
  /** `auto`: as the base's configuration says. */
  readonly sandbox: SandboxConfig['sandbox']
  readonly budgetMs: number
  readonly token: string
}

/** Runs the action and resolves with the job's exit code. Never rejects. */
export async function runAction(options: ActionOptions): Promise<number> {
  const { print } = options
  try {
    return await judgeJob(options)
  } catch (error) {
    print(
      `::error title=Pulseward::${messageOf(error)
        .replaceAll('%', '%25')
        .replaceAll(/[\r\n]+/g, ' ')}\n`,
    )
    if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) return 3
    return error instanceof ChangeProblem ? error.exitCode : error instanceof InputProblem ? 2 : 70
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The workflow needs to be fixed. */
class InputProblem extends Error {}

async function judgeJob(options: ActionOptions): Promise<number> {
  const { environment, print } = options
  const inputs = readInputs(environment)
  const event = readEvent(
    environment.GITHUB_EVENT_NAME ?? '',
    await readPayload(environment.GITHUB_EVENT_PATH),
  )
  const signal = AbortSignal.timeout(inputs.budgetMs)
  const forgeUntil = (until: AbortSignal): Forge =>
    openForge({
      api: environment.GITHUB_API_URL ?? '',
      repository: environment.GITHUB_REPOSITORY ?? '',
      token: inputs.token,
      signal: until,
      ...(options.backOffMs !== undefined && { backOffMs: options.backOffMs }),
    })
  const warn = (text: string): void =>
    print(`::warning title=Pulseward::${text.replaceAll('%', '%25').replaceAll(/[\r\n]+/g, ' ')}\n`)
  // Only these jobs may write: they run no code from the change.
  const isCustody = event.isTarget || (event.name === 'merge_group' && inputs.part === 'custody')
  const sha = isCustody ? event.head : undefined
  const tell = async (what: string, work: (forge: Forge) => Promise<void>): Promise<void> => {
    try {
      // Not limited by the budget: a required check that never reports would block without a reason.
      await work(forgeUntil(AbortSignal.timeout(TELL_MS)))
    } catch (error) {
      if (!(error instanceof ForgeProblem)) throw error
      warn(`${what} could not be written: ${error.message}. The job's own result says the same.`)
    }
  }
  const judged = async (): Promise<ChangeVerdict> => {
    const claims = await claimsOf(event, inputs, forgeUntil(signal), warn)
    const result = await judge(options, inputs, event, claims, signal)
    await report(options, inputs, result)
    return result
  }
  const result = await judged().catch(async (error: unknown) => {
    if (sha !== undefined) await tell('The check', (forge) => forge.createCheck(failedCheck(error, sha)))
    throw error
  })
  if (sha !== undefined) await tell('The check', (forge) => forge.createCheck(checkOf(result, sha, inputs)))
  const { pull } = event
  const needsLook = result.held || result.verdict === 'not_verified'
  if (event.isTarget && pull !== null && inputs.comments)
    await tell('The comment', (forge) =>
      // Once there is a comment, it is kept up to date.
      forge.comment(pull.number, renderChange(result, 'markdown'), needsLook),
    )
  const code = exitCodeOf(result, { held: inputs.held })
  return inputs.blocks ? code : 0
}

function readInputs(environment: ActionOptions['environment']): Inputs {
  const input = (name: string): string => (environment[`INPUT_${name.toUpperCase()}`] ?? '').trim()
  const choice = <const T extends string>(name: string, choices: readonly [T, ...T[]]): T => {
    const given = input(name) || choices[0]
    const found = choices.find((each) => each === given)
    if (found === undefined)
      throw new InputProblem(`The input ${name} is "${given}"; expected ${choices.join(' or ')}.`)
    return found
  }
  return {
    base: input('base'),
    part: choice('part', CHANGE_PARTS),
    blocks: choice('mode', ['block', 'report']) === 'block',
    contract: input('contract'),
    claims: new Set((input('claims') || 'title,body,commits').split(',').map((each) => each.trim())),
    held: choice('held', ['fail', 'neutral']),
    comments: choice('comment', ['auto', 'never']) === 'auto',
    sarif: input('sarif'),
    junit: input('junit'),
    sandbox: choice('sandbox', SANDBOX_SETTINGS),
    budgetMs: milliseconds(input('budget') || '20m'),
    token: input('github-token'),
  }
}

function milliseconds(text: string): number {
  const [, number, unit] = /^(\d{1,5})([smh])$/.exec(text) ?? []
  if (number === undefined)
    throw new InputProblem(`The input budget is "${text}"; expected a time such as 20m.`)
  return Number(number) * { s: 1000, m: 60_000, h: 3_600_000 }[unit as 's' | 'm' | 'h']
}

async function readPayload(path: string | undefined): Promise<unknown> {
  if (path === undefined || path === '') return {}
  return JSON.parse(await readFile(path, 'utf8'))
}

async function claimsOf(
  { pull }: JobEvent,
  { claims }: Inputs,
  forge: Forge,
  warn: (text: string) => void,
): Promise<string> {
  if (pull === null) return ''
  const texts = [claims.has('title') ? pull.title : '', claims.has('body') ? pull.body : '']
  if (claims.has('commits')) {
    const messages = await forge.commitMessages(pull.number).catch((error: unknown) => {
      warn(`Commit messages could not be read, so their claims were not judged: ${messageOf(error)}`)
      return []
    })
    texts.push(...messages)
  }
  return texts.filter((text) => text !== '').join('\n\n')
}

async function judge(
  { environment, version, installation }: ActionOptions,
  inputs: Inputs,
  event: JobEvent,
  claims: string,
  signal: AbortSignal,
): Promise<ChangeVerdict> {
  const workspace = environment.GITHUB_WORKSPACE ?? process.cwd()
  const request = {
    worktree: false,
    taskIds: [],
    claims,
    config: inputs.contract === '' ? undefined : resolve(workspace, inputs.contract),
    useCache: false,
    ...(inputs.sandbox !== 'auto' && { sandbox: inputs.sandbox }),
    // The workflow's author has the repository's checks run anyway.
    consents: async () => true,
    dataDirectory: join(environment.RUNNER_TEMP ?? tmpdir(), 'pulseward'),
    installation,
    version,
    signal,
  }
  if (!event.isTarget || event.pull === null)
    return verifyHere({
      ...request,
      directory: workspace,
      base: inputs.base || (await mergedInto(workspace, event)) || event.base,
      // In CI the checked-out commit is judged; files that other steps created aren't part of the change.
      head: event.head ?? 'HEAD',
      part: inputs.part,
    })
  const url = `${environment.GITHUB_SERVER_URL ?? ''}/${environment.GITHUB_REPOSITORY ?? ''}`
  const base = inputs.base || event.base || ''
  const objects = await fetchObjects({
    url,
    token: inputs.token,
    base,
    pull: event.pull.number,
    depth: event.pull.commits + 2,
    signal,
  })
  try {
    for (;;) {
      try {
        return await verifyHere({
          ...request,
          directory: objects.directory,
          base: 'refs/heads/base',
          head: event.pull.headSha,
          part: 'custody',
        })
      } catch (error) {
        const isShallow = error instanceof ChangeProblem && error.exitCode === 3
        if (!isShallow || !(await objects.deepen())) throw error
      }
    }
  } finally {
    await objects.close()
  }
}

/**
 * Returns the first parent of the forge's own merge commit, if that is checked out: the base it merged into, newer than the one in the
 * payload.
 */
async function mergedInto(workspace: string, { pull }: JobEvent): Promise<string | undefined> {
  if (pull === null) return undefined
  const { run } = await openRepository(workspace)
  const first = (await run(['rev-parse', '--verify', '--quiet', 'HEAD^1'])).stdout.toString('utf8').trim()
  const second = (await run(['rev-parse', '--verify', '--quiet', 'HEAD^2'])).stdout.toString('utf8').trim()
  return second === pull.headSha ? first : undefined
}

async function report(
  { environment, print }: ActionOptions,
  inputs: Inputs,
  result: ChangeVerdict,
): Promise<void> {
  const workspace = environment.GITHUB_WORKSPACE ?? process.cwd()
  const path = join(environment.RUNNER_TEMP ?? tmpdir(), 'verdict.json')
  await writeFile(path, renderChange(result, 'json'))
  if (inputs.sarif !== '') await writeFile(resolve(workspace, inputs.sarif), renderChange(result, 'sarif'))
  if (inputs.junit !== '') await writeFile(resolve(workspace, inputs.junit), renderChange(result, 'junit'))
  print(withoutCommands(renderChange(result, 'text')))
  print(renderChange(result, 'github'))
  await appendTo(environment.GITHUB_STEP_SUMMARY, renderChange(result, 'markdown'))
  const attested = await predicateOfChange(JSON.parse(renderChange(result, 'json')), {
    directory: workspace,
    git: (args, settings) => runGit(workspace, args, settings),
  })
  const predicate = join(environment.RUNNER_TEMP ?? tmpdir(), 'predicate.json')
  if (attested !== null) await writeFile(predicate, JSON.stringify(attested.predicate))
  const outputs = {
    verdict: result.verdict ?? '',
    applicable: String(result.applicable),
    held: String(result.held),
    refuted: String(result.verdict === 'not_verified'),
    unread: String(result.claims.filter(({ equal }) => equal === null).length),
    tree: result.head.tree,
    'policy-sha256': result.policy.sha256 ?? '',
    report: path,
    predicate: attested === null ? '' : predicate,
    'predicate-type': attested?.type ?? '',
  }
  const mark = `pulseward-${randomUUID()}`
  const lines = Object.entries(outputs).map(([name, value]) => `${name}<<${mark}\n${value}\n${mark}\n`)
  await appendTo(environment.GITHUB_OUTPUT, lines.join(''))
}

async function appendTo(path: string | undefined, text: string): Promise<void> {
  if (path !== undefined && path !== '') await appendFile(path, text)
}

const LEVELS = { critical: 'failure', warning: 'warning', info: 'notice' } as const satisfies Record<
  Finding['severity'],
  string
>
/** The API's limit per request. */
const MAX_ANNOTATIONS = 50
const MAX_SUMMARY = 10_000
/** How long writing check or comment may take. */
const TELL_MS = 120_000

function checkOf(result: ChangeVerdict, sha: string, { held, blocks }: Inputs): CheckRun {
  const isGood = exitCodeOf(result, { held }) === 0
  const refused = blocks ? 'failure' : 'neutral'
  return {
    ...{ name: 'pulseward', head_sha: sha, status: 'completed' },
    conclusion: !result.applicable ? 'success' : isGood ? (result.held ? 'neutral' : 'success') : refused,
    output: {
      title: verdictWords(result),
      summary: renderChange(result, 'markdown'),
      annotations: result.custody
        .slice(0, MAX_ANNOTATIONS)
        .map(({ path, line, severity, message, code }) => ({
          path,
          start_line: line ?? 1,
          end_line: line ?? 1,
          annotation_level: LEVELS[severity],
          message,
          title: code,
        })),
    },
  }
}

/** Returns the check of a change that could not be judged. */
function failedCheck(error: unknown, sha: string): CheckRun {
  return {
    ...{ name: 'pulseward', head_sha: sha, status: 'completed', conclusion: 'failure' },
    output: {
      title: 'Could not be judged',
      // Indented, so that nothing in it is markup.
      summary: `    ${plain(messageOf(error)).slice(0, MAX_SUMMARY)}`,
      annotations: [],
    },
  }
}
