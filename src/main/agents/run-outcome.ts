import type { ServiceFailure } from '../../core/agents/failure-words.ts'
import { grantAdvice, refusalInWords } from '../../core/agents/grant-advice.ts'
import type { PresetId } from '../../core/agents/programs.ts'
import { failureInWords, failureRemedy, statedFailure } from '../../core/agents/service-failure.ts'
import { failureOfStatus } from '../../core/agents/streams/failure.ts'
import { cut, oneLine, quoteAgent } from '../../core/text/quote.ts'
import { keptBackInWords } from '../../core/verification/environment-fault.ts'
import type { AgentRequest, AgentRun } from '../ports/agent-runner.ts'
import type { AgentConfig } from '../ports/workspace-config.ts'
import type { ProcessRun } from '../process/run-process.ts'
import { knownAgent } from './known-agent.ts'
import { startProblem } from './start-problem.ts'
import type { StreamReading } from './streams/read-stream.ts'

/*
 * Decides how a run ended. Exit codes and signals are weak evidence: programs exit with 0 after a refused tool, and after SIGTERM. So our
 * own actions count first, then what the program says about its end, and its exit code only if it says nothing.
 */

export type Outcome = Pick<AgentRun, 'outcome' | 'reason' | 'remedy' | 'resetsAtMs'>

export interface EndedRun {
  readonly config: AgentConfig
  readonly request: Pick<AgentRequest, 'timeoutMs'>
  readonly run: ProcessRun
  /** `null`: we can't read the program's events. */
  readonly reading: StreamReading | null
  readonly withheld: readonly string[]
}

export function outcomeOf(ended: EndedRun): Outcome {
  const { config, run, reading } = ended
  const name = config.command[0] ?? ''
  if (run.failure !== null) return { outcome: 'unavailable', ...startProblem(run.failure, name) }
  if (run.cancelled)
    return {
      outcome: 'cancelled',
      reason: `${name} was stopped because the supervisor stopped.`,
      remedy: null,
    }
  // A program that lingers after its last event may reach its timeout; its work still counts.
  if (run.timedOut && (reading?.final ?? null) === null) {
    const stopped = stoppedByService(ended)
    if (stopped !== null) return stopped
    const limit = `${Math.round(ended.request.timeoutMs / 100) / 10} s`
    return { outcome: 'timeout', reason: `${name} was stopped at its timeout of ${limit}.`, remedy: null }
  }
  if (reading === null || config.stream === null) return byExitCode(ended)
  return reading.final === null
    ? withoutFinalEvent(ended, config.stream, reading)
    : byFinalEvent(ended, config.stream, reading, reading.final)
}

/** Recognizes a program that never got to work because its service refused it until the timeout; some retry for minutes. */
function stoppedByService(ended: EndedRun): Outcome | null {
  const { config, reading } = ended
  if (config.stream === null || reading === null || reading.struggling === null) return null
  if (reading.activity.calls.length > 0 || reading.said !== '') return null
  const failure = statedFailure(reading.struggling, null)
  return failure === null ? null : serviceOutcome(ended, failure, reading.struggling)
}

function byExitCode({ config, run }: EndedRun): Outcome {
  const name = config.command[0] ?? ''
  const missing = missingProgram(config.command, run)
  if (missing !== null)
    return {
      outcome: 'unavailable',
      reason: `${name} could not start, because a program it needs is missing: ${quoteAgent(missing, 300)}.`,
      remedy: 'Install what is missing, or change [agent] command in pulseward.toml.',
    }
  if (run.exitCode === 0)
    return { outcome: 'completed', reason: `${name} ended with exit code 0.`, remedy: null }
  return { outcome: 'error', reason: `${name} ${endingInWords(run)}.`, remedy: null }
}

/** The exit codes of shells when a program in a script is missing or not executable. */
const SHELL_COULD_NOT_RUN = [126, 127]

/**
 * Returns the line which says that the agent is missing, from a program that printed nothing else: a shell that can't find it, or an
 * interpreter that can't find the script in the command. A program that printed more did run, and what was missing was its own problem.
 */
function missingProgram(command: readonly string[], { exitCode, stdout, stderr }: ProcessRun): string | null {
  if (exitCode === 0 || exitCode === null || stdout.text.trim() !== '') return null
  const lines = stderr.text.slice(0, 8192).split('\n')
  const line = lines.find((text) => SAYS_MISSING.test(text))
  if (line === undefined) return null
  const ofShell =
    SHELL_COULD_NOT_RUN.includes(exitCode) && lines.filter((text) => text.trim() !== '').length === 1
  const scripts = command.slice(1).filter((word) => !word.startsWith('-') && /[./\\]/.test(word))
  const isNamed = scripts.some((word) => line.includes(word.replace(/^\.\//, '')))
  return ofShell || isNamed ? line : null
}

const SAYS_MISSING =
  /\b(?:command )?not found\b|\bno such file or directory\b|\bcannot (?:find (?:module|file)|open|execute)\b|\bcan't open file\b|\bpermission denied\b|\bmodule not found\b/i

function endingInWords(run: ProcessRun): string {
  return run.exitCode === null ? `was ended by ${run.signal}` : `ended with exit code ${run.exitCode}`
}

type Final = NonNullable<StreamReading['final']>

function byFinalEvent(ended: EndedRun, program: PresetId, reading: StreamReading, final: Final): Outcome {
  const name = ended.config.command[0] ?? ''
  switch (final.status) {
    case 'success':
      if (reading.denials.length > 0) return denied(ended, program, reading)
      return { outcome: 'completed', reason: `${name} reported the end of its turn.`, remedy: null }
    case 'denied':
      return denied(ended, program, reading)
    case 'unauthenticated':
    case 'rate-limited':
    case 'service-error': {
      const failure = failureOfStatus(final.status, final.reason) ?? 'service'
      return serviceOutcome(ended, failure, final.reason, final.resetsAtMs ?? null)
    }
    case 'limit':
    case 'interrupted':
    case 'error':
      return {
        outcome: 'error',
        reason: `${name} did not end its turn: ${quoteAgent(final.reason, 300)}.`,
        remedy: null,
      }
  }
}

/** No event reported the end of the turn, so it was not finished, whatever the exit code. */
function withoutFinalEvent(ended: EndedRun, program: PresetId, reading: StreamReading): Outcome {
  const { config, run } = ended
  const name = config.command[0] ?? ''
  const problem = run.exitCode === 0 ? null : startUpProblem(ended)
  if (problem !== null) return problem
  if (reading.denials.length > 0) return denied(ended, program, reading)
  if (reading.events === 0 && run.exitCode !== 0 && run.stdout.text.trim() === '') return diedAtStart(ended)
  // There was not a single event: the program has another version, or arguments that ask for another format. Only the exit code is left.
  if (reading.events === 0) return byExitCode(ended)
  return {
    outcome: 'error',
    reason: `${name} ${endingInWords(run)} without its last event, so its turn does not count as finished.`,
    remedy: null,
  }
}

/**
 * Returns the outcome of a program that normally reports its actions but printed nothing: no model was asked, so there is no work to judge.
 */
function diedAtStart({ config, run }: EndedRun): Outcome {
  const name = config.command[0] ?? ''
  const last = run.stderr.text.trim().split('\n').at(-1) ?? ''
  const words = last === '' ? 'It did not say why.' : `It said: ${quoteAgent(last, 300)}.`
  return {
    outcome: 'unavailable',
    reason: `${name} ${endingInWords(run)} before it began to work. ${words}`,
    remedy: `Run ${name} once by hand in the folder to see why it doesn't start, or correct [agent] in pulseward.toml.`,
  }
}

function denied({ config }: EndedRun, program: PresetId, { denials }: StreamReading): Outcome {
  const { managesPermissions, allow, deny } = config
  return {
    outcome: 'denied',
    reason: refusalInWords(denials),
    remedy: grantAdvice(denials, { program, managesPermissions, allow, deny }),
  }
}

/** Handles a failure of the service behind the program; `words` are the program's own message. */
function serviceOutcome(
  { withheld, config }: EndedRun,
  failure: ServiceFailure,
  words: string,
  resetsAtMs: number | null = null,
): Outcome {
  const { name, loginHint } = knownAgent(config)
  const kept = failure === 'login' ? keptBackInWords(withheld) : ''
  return {
    outcome: 'unavailable',
    reason: `${failureInWords(failure, name, words)}: ${quoteAgent(words, 300)}.`,
    remedy: `${failureRemedy(failure, { loginHint, words })}${kept}`,
    ...(resetsAtMs !== null && { resetsAtMs }),
  }
}

interface StartUpProblem {
  readonly pattern: RegExp
  readonly reason: string
  readonly remedy: string
}

/** Messages that programs print only on stderr, before their first event. */
const START_UP_PROBLEMS: readonly StartUpProblem[] = [
  {
    pattern: /not running in a trusted directory/i,
    reason: 'it does not run in a folder that it was not told to trust',
    remedy: 'Add --skip-trust to [agent] command, or trust the folder once in `gemini`.',
  },
  {
    pattern: /not inside a trusted directory/i,
    reason: 'it does not run outside a trusted repository',
    remedy: 'Add --skip-git-repo-check to [agent] command in pulseward.toml.',
  },
  {
    pattern:
      /no conversation found|thread\/resume failed|no rollout found|session (?:id )?\S* ?(?:was )?not found|(?:invalid|unknown|no such|error resuming) session|no session|failed to (?:load|resume) session/i,
    reason: "its session can't be resumed",
    remedy: 'No action is needed: the next heartbeat starts a new session.',
  },
]

const LAST_LINES = 20

function startUpProblem(ended: EndedRun): Outcome | null {
  const lines = ended.run.stderr.text
    .slice(-8192)
    .split('\n')
    .map((line) => cut(oneLine(line), 300))
    .filter((line) => line !== '')
    .slice(-LAST_LINES)
  const name = ended.config.command[0] ?? ''
  for (const { pattern, reason, remedy } of START_UP_PROBLEMS) {
    if (lines.some((line) => pattern.test(line)))
      return { outcome: 'unavailable', reason: `${name} can't work: ${reason}.`, remedy }
  }
  // Counts a service failure only before the first event; after it, the events tell.
  if ((ended.reading?.events ?? 0) > 0) return null
  for (const line of lines.reverse()) {
    const failure = statedFailure(line, null)
    if (failure !== null) return serviceOutcome(ended, failure, line)
  }
  return null
}
