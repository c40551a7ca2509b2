import { type ChildProcessByStdio, execFile } from 'node:child_process'
import { once } from 'node:events'
import { realpathSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { type Command, Option } from 'commander'
import spawn from 'cross-spawn'
import { z } from 'zod'
import { readJson } from '../../core/text/json.ts'
import { SESSION_MODES, type SessionMode } from '../../core/vocabulary/session.ts'
import { type AcpTurn, proxyAcp } from '../acp-proxy.ts'
import { type ExitCode, usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'

/** Adds `acp`, which runs an editor's agent and applies the session gate at the end of each turn. */
export function addAcpCommand(program: Command, run: RunCommand): void {
  program
    .command('acp')
    .description(
      'start an editor’s ACP agent (Zed, JetBrains …) with the gate of sessions at the end of each turn; write the agent’s command after `--`',
    )
    .argument('[COMMAND...]', 'the agent’s program and its arguments')
    .addOption(
      new Option(
        '--mode <MODE>',
        'what happens when a turn is not verified: shadow only counts it, gate sends the agent back (default: shadow)',
      ).choices([...SESSION_MODES]),
    )
    .action(run(acp))
}

async function acp(
  context: CommandContext,
  command: readonly string[],
  { mode }: { mode?: SessionMode },
): Promise<ExitCode> {
  const [program, ...args] = command
  if (mode !== undefined) await (await context.machine.hooks(context.dataDirectory)).setMode('acp', mode)
  if (program === undefined) {
    if (mode === undefined)
      throw usageError('Write the agent’s command after `--`: pulseward acp -- gemini --experimental-acp')
    context.output.remark(`Agents behind \`pulseward acp\` are judged in mode ${mode}.`)
    return 0
  }
  const agent = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] }) as ChildProcessByStdio<
    Writable,
    Readable,
    null
  >
  const stop = () => agent.kill('SIGTERM')
  context.signal.addEventListener('abort', stop)
  try {
    await once(agent, 'spawn').catch((error: Error) => {
      throw usageError(
        `${program} could not be started: ${error.message}. Write the agent’s command after \`--\`.`,
      )
    })
    // A write error means that this side has ended, which its exit reports.
    for (const stream of [agent.stdin, process.stdout]) stream.on('error', () => undefined)
    const exited = once(agent, 'exit') as Promise<[number | null]>
    await proxyAcp({
      editor: { input: process.stdin, output: process.stdout },
      agent: { input: agent.stdin, output: agent.stdout },
      ask: (event, turn) => askHook(context.dataDirectory, event, turn),
    })
    const [exitCode] = await exited
    return exitCode === 0 || context.signal.aborted ? 0 : 3
  } finally {
    context.signal.removeEventListener('abort', stop)
  }
}

/** Runs the same hook that every program calls, so that cost, silence and deferred work are the same for all. */
function askHook(dataDirectory: string, event: string, turn: AcpTurn): Promise<string | null> {
  const script = realpathSync(process.argv[1] ?? '')
  return new Promise((resolve) => {
    const hook = execFile(
      process.execPath,
      [script, 'hook', event, '--agent', 'acp', '--data-dir', dataDirectory],
      { encoding: 'utf8', windowsHide: true },
      (_error, stdout) => resolve(readJson(answerSchema, stdout)),
    )
    hook.stdin?.on('error', () => undefined)
    hook.stdin?.end(JSON.stringify(turn))
  })
}

const answerSchema = z.union([
  z.object({ decision: z.literal('block'), reason: z.string().min(1) }).transform(({ reason }) => reason),
  z
    .object({ hookSpecificOutput: z.object({ additionalContext: z.string().min(1) }) })
    .transform(({ hookSpecificOutput }) => hookSpecificOutput.additionalContext),
])
