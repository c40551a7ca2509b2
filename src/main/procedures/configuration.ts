import { RequestProblem } from '../../api/request-problem.ts'
import type {
  Configuration,
  ConfigurationEdit,
  ConfigurationReport,
  JudgeTrial,
} from '../../api/schemas/configuration.ts'
import { NO_CLAIM } from '../../core/claims/types.ts'
import { EMPTY_DIFFERENCE } from '../../core/verification/types.ts'
import { readConfigurationFile, writeConfigurationFile } from '../config/configuration-file.ts'
import { parseWorkspaceConfig } from '../config/parse-config.ts'
import { configurationReport, reportOnText } from '../config/text-report.ts'
import { editToml } from '../config/toml-edit.ts'
import { readApprovedText } from '../config/trust.ts'
import { sha256 } from '../files/sha256.ts'
import { approveConfiguration } from '../host/approve-configuration.ts'
import type { HostParts } from '../host/host-parts.ts'
import type { WorkspaceRuntime } from '../host/workspace-runtime.ts'
import type { Verifier } from '../ports/verifier.ts'
import { createVerifier } from '../verifier/verifier.ts'
import { os, workspaceOf } from './implementer.ts'

/** What a form can do with `pulseward.toml`: read, edit without losing a byte, write and approve in one step. */
export const configuration = {
  get: os.configuration.get.handler(({ input, context }) => current(workspaceOf(input, context))),
  check: os.configuration.check.handler(async ({ input, context }) =>
    edited(input.text, input.edits, await approvedTextOf(workspaceOf(input, context))),
  ),
  tryProbe: os.configuration.tryProbe.handler(({ input, context, signal }) =>
    tryProbe(
      verifierOf(workspaceOf(input, context), context.host, input.text),
      input.name,
      untilEnd(context.host, signal),
    ),
  ),
  tryGates: os.configuration.tryGates.handler(async ({ input, context, signal }) => {
    const gates = await verifierOf(workspaceOf(input, context), context.host, input.text).runGates(
      untilEnd(context.host, signal),
    )
    return {
      gates: gates.map(({ command, status, detail, durationMs }) => ({
        command: [...command],
        status,
        detail,
        durationMs,
      })),
    }
  }),
  tryJudge: os.configuration.tryJudge.handler(({ input, context, signal }) =>
    tryJudge(
      verifierOf(workspaceOf(input, context), context.host, input.text),
      untilEnd(context.host, signal),
    ),
  ),
  put: os.configuration.put.handler(async ({ input, context }) => {
    const runtime = workspaceOf(input, context)
    await writeConfiguration(runtime, input)
    return current(runtime)
  }),
}

/** Returns a signal that aborts when the caller is gone, or the host stops. */
function untilEnd({ ending }: HostParts, asked: AbortSignal | undefined): AbortSignal {
  return asked === undefined ? ending : AbortSignal.any([asked, ending])
}

/** Returns a verifier that measures as the text defines it, approved or not: the operator asks for it directly. */
function verifierOf(
  { directory }: WorkspaceRuntime,
  { clock, log }: Pick<HostParts, 'clock' | 'log'>,
  text: string,
): Verifier {
  const parsed = parseWorkspaceConfig(text)
  const [problem] = parsed.ok ? [] : parsed.problems
  if (!parsed.ok)
    throw new RequestProblem(
      'unprocessable',
      `pulseward.toml:${problem?.line}:${problem?.column}: ${problem?.message}`,
    )
  return createVerifier({ directory, config: parsed.config, clock, log })
}

async function tryProbe(
  verifier: Verifier,
  name: string,
  signal: AbortSignal,
): Promise<{ value: unknown; problem: string | null }> {
  const [reading] = await verifier.readProbes([name], signal)
  return reading?.kind === 'value'
    ? { value: reading.value, problem: null }
    : { value: null, problem: reading?.reason ?? 'it was not read' }
}

/** A statement that is certainly true for every workspace. */
const KNOWN = 'The folder has a file named HEARTBEAT.md at its top.'

async function tryJudge(verifier: Verifier, signal: AbortSignal): Promise<JudgeTrial> {
  const answer = await verifier.judge(
    {
      taskId: 'a_test_of_the_judge',
      description: KNOWN,
      criteria: [],
      claim: NO_CLAIM,
      difference: EMPTY_DIFFERENCE,
      output: '',
    },
    signal,
  )
  if (answer === null)
    throw new RequestProblem('unprocessable', 'The text has no judge: give it a preset or a command.')
  const verdict = answer.kind === 'answer' ? answer.verdict : null
  return { question: KNOWN, verdict, reason: answer.reason }
}

function approvedTextOf({ dataDirectory, ledger }: WorkspaceRuntime): Promise<string | null> {
  return readApprovedText(dataDirectory, ledger.approvedHash)
}

async function current(runtime: WorkspaceRuntime): Promise<Configuration> {
  const { path, text, hash, unreadable } = await readConfigurationFile(runtime.directory)
  return {
    ...configurationReport(text, await approvedTextOf(runtime), null, sha256(text)),
    path,
    hash,
    unreadable,
  }
}

/** Returns the edited text, or the original with the reason why it could not be edited. */
export function edited(
  text: string,
  edits: readonly ConfigurationEdit[],
  approvedText: string | null,
): ConfigurationReport {
  const result = editToml(text, edits)
  return result.ok
    ? configurationReport(result.text, approvedText, null, sha256(result.text))
    : configurationReport(text, approvedText, result.reason, sha256(text))
}

async function writeConfiguration(
  runtime: WorkspaceRuntime,
  { text, hash, approve: approving }: { text: string; hash: string | null; approve: boolean },
): Promise<void> {
  const problem = approving ? reportOnText(text).problems[0] : undefined
  if (problem !== undefined) {
    const { line, column, message } = problem
    throw new RequestProblem('unprocessable', `Line ${line}, column ${column}: ${message}`, {
      data: { place: { file: 'pulseward.toml', line, column } },
    })
  }
  await runtime.contractCustody.edit(() => writeConfigurationFile(runtime.directory, text, hash))
  // Approves by the requested text's hash, so that nothing else that got into the file since is approved.
  if (approving) await approveConfiguration(runtime, sha256(text))
  else await runtime.loop.refresh()
}
