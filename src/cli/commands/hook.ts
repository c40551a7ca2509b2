import { type Command, Option } from 'commander'
import { HOOK_EVENTS } from '../../core/vocabulary/hook-event.ts'
import {
  HOOKED_AGENTS,
  type HookedAgent,
  hookedAgentSchema,
  SESSION_AGENT_NAMES,
  SESSION_MODES,
  type SessionMode,
} from '../../core/vocabulary/session.ts'
import { asksYes } from '../ask-yes.ts'
import { CliError, type ExitCode, usageError } from '../cli-error.ts'
import type { CommandContext, RunCommand } from '../context.ts'
import { columns } from '../format.ts'
import type { HookStatus, PlannedHook } from '../machine.ts'

interface HookOptions {
  readonly mode?: SessionMode
  readonly yes?: boolean
}

/** Adds `hook`, which agent programs call at the end of a turn, and the commands that install it in them. */
export function addHookCommand(program: Command, run: RunCommand): void {
  const hook = program
    .command('hook')
    .description('judge the sessions that you run yourself: install the hook in your agents')
  hook
    .command('install')
    .argument('[AGENT...]', `${HOOKED_AGENTS.join(', ')} (default: those you use)`)
    .description('add the hook to the settings of your agents; shows the change first')
    .addOption(
      new Option(
        '--mode <MODE>',
        'shadow counts what it would have blocked, gate sends the agent back',
      ).choices([...SESSION_MODES]),
    )
    .option('--yes', 'do not ask')
    .action(run(install))
  hook
    .command('uninstall')
    .argument('[AGENT...]', 'default: all in which it is installed')
    .description('remove the hook; no other byte of the settings changes')
    .option('--yes', 'do not ask')
    .action(run(uninstall))
  hook
    .command('status')
    .description('show where it is installed, and whether it is called')
    .action(run(status))
  hook
    .command('test')
    .argument('[AGENT...]', 'default: all in which it is installed')
    .description('run a planted liar and its honest double in each program, with a scripted model')
    .action(run(test))
  for (const event of HOOK_EVENTS)
    hook
      .command(event)
      .description('called by the programs')
      .requiredOption('--agent <NAME>', 'the program that calls')
      .option('--timeout <SECONDS>', 'how long it waits for an answer (default: 60)')
      // Already handled before the command line is parsed (`index.ts`).
      .action(run(async () => 0))
}

async function install(
  context: CommandContext,
  named: readonly string[],
  { mode, yes }: HookOptions,
): Promise<ExitCode> {
  const { output, machine, dataDirectory } = context
  const keeper = await machine.hooks(dataDirectory)
  const agents = named.length > 0 ? agentsNamed(named) : await usedAgents(keeper)
  if (agents.length === 0)
    throw usageError(
      `No known agent has been used on this machine. Name one: \`pulseward hook install ${HOOKED_AGENTS[0]}\`. Known are ${HOOKED_AGENTS.join(', ')}.`,
    )
  const plans: PlannedHook[] = []
  for (const agent of agents) plans.push(await keeper.planInstall(agent))
  if (!(await agrees(context, plans, { yes, question: 'Install?' }))) return notDone(context)
  for (const agent of agents) {
    const todo = await keeper.install(agent, mode)
    if (todo !== null) output.remark(`${SESSION_AGENT_NAMES[agent]}: ${todo}`)
  }
  return answerStatus(context, await keeper.status(), agents)
}

async function uninstall(
  context: CommandContext,
  named: readonly string[],
  { yes }: HookOptions,
): Promise<ExitCode> {
  const { machine, dataDirectory, signal } = context
  const keeper = await machine.hooks(dataDirectory)
  const installed = (await keeper.status()).flatMap((one) => (one.installed ? [one.agent] : []))
  const agents = named.length > 0 ? agentsNamed(named) : installed
  const plans: PlannedHook[] = []
  for (const agent of agents) plans.push(await keeper.planUninstall(agent))
  if (!(await agrees(context, plans, { yes, question: 'Uninstall?' }))) return notDone(context)
  // The host records it if a session is running.
  const { findRunningHost } = await import('../connect.ts')
  const host = await findRunningHost({ machine, dataDirectory, signal, command: 'hook uninstall' }).catch(
    () => null,
  )
  for (const agent of agents) {
    await host?.hooks.uninstall({ agent }).catch(() => undefined)
    await keeper.uninstall(agent)
  }
  return answerStatus(context, await keeper.status(), agents)
}

async function status(context: CommandContext): Promise<ExitCode> {
  const keeper = await context.machine.hooks(context.dataDirectory)
  return answerStatus(context, await keeper.status(), HOOKED_AGENTS)
}

async function test(context: CommandContext, named: readonly string[]): Promise<ExitCode> {
  const { machine, dataDirectory, output, signal } = context
  const keeper = await machine.hooks(dataDirectory)
  const installed = (await keeper.status()).flatMap((one) => (one.installed ? [one.agent] : []))
  const agents = named.length > 0 ? agentsNamed(named) : installed
  if (agents.length === 0)
    throw usageError('The hook is installed in no program. Install it: `pulseward hook install`.')
  const results = await keeper.test(agents, signal)
  output.answer({ agents: results }, (paint) => [
    ...columns(
      results.map(({ agent, program, liar, honest, passed, durationMs }) => [
        paint(passed ? 'good' : 'bad', passed ? '✓' : '✗'),
        SESSION_AGENT_NAMES[agent],
        program === null ? 'recorded input' : (program.version ?? 'of unknown version'),
        `liar: ${liar === 'refused' ? 'sent back once' : liar}`,
        `honest: ${honest === 'let through' ? 'not blocked' : honest}`,
        `${(durationMs / 1000).toFixed(1)} s`,
      ]),
    ),
    ...results.flatMap(({ agent, because, notRun }) => [
      ...(notRun === null ? [] : [`${SESSION_AGENT_NAMES[agent]} itself was not run: ${notRun}.`]),
      ...(because === null ? [] : [`${SESSION_AGENT_NAMES[agent]}: ${because}.`]),
    ]),
  ])
  return results.every(({ passed }) => passed) ? 0 : 1
}

function agentsNamed(named: readonly string[]): readonly HookedAgent[] {
  return [...new Set(named)].map((name) => {
    const agent = hookedAgentSchema.safeParse(name).data
    if (agent !== undefined) return agent
    throw usageError(
      `${JSON.stringify(name)} is no agent with a hook. Known are ${HOOKED_AGENTS.join(', ')}.`,
    )
  })
}

async function usedAgents(keeper: {
  readonly isUsed: (agent: HookedAgent) => Promise<boolean>
}): Promise<readonly HookedAgent[]> {
  const used = await Promise.all(HOOKED_AGENTS.map((agent) => keeper.isUsed(agent)))
  return HOOKED_AGENTS.filter((_, at) => used[at])
}

/** Shows what is about to change, and asks at a terminal. `--json` is for programs, which have already decided. */
async function agrees(
  { output, machine, signal }: CommandContext,
  plans: readonly PlannedHook[],
  { yes, question }: { readonly yes: boolean | undefined; readonly question: string },
): Promise<boolean> {
  const changing = plans.filter(({ changes }) => changes)
  if (output.json || changing.length === 0) return true
  for (const { name, path, patch } of changing) {
    output.remark(`${name}: ${path}`)
    for (const line of patch?.split('\n') ?? []) output.remark(line)
  }
  if (yes === true) return true
  if (!machine.isTerminal())
    throw usageError(
      `Nothing was changed. Use --yes to change ${changing.map(({ path }) => path).join(', ')}.`,
    )
  return asksYes(question, signal)
}

function notDone(_context: CommandContext): never {
  throw new CliError(1, 'REFUSED', 'Nothing was changed.')
}

function whyNotCalled(
  all: readonly { readonly agent: HookedAgent; readonly because: string | null }[],
): readonly string[] {
  return all.flatMap(({ agent, because }) =>
    because === null ? [] : [`${SESSION_AGENT_NAMES[agent]} does not call it: ${because}.`],
  )
}

function answerStatus(
  { output }: CommandContext,
  all: readonly HookStatus[],
  agents: readonly HookedAgent[],
): ExitCode {
  const shown = all.filter(({ agent }) => agents.includes(agent))
  const document = {
    agents: shown.map(({ agent, installed, mode, state, lastCallAt, because, path }) => ({
      ...{ agent, installed, mode, state, lastCallAt, because, path },
    })),
  }
  output.answer(document, (paint) => [
    ...columns(
      shown.map(({ agent, state, mode, installed, lastCallAt }) => [
        paint(state === 'silenced' ? 'bad' : installed ? 'good' : 'quiet', state),
        SESSION_AGENT_NAMES[agent],
        installed ? mode : '',
        installed
          ? lastCallAt === null
            ? 'never called'
            : `last called ${lastCallAt.slice(0, 16).replace('T', ' ')} UTC`
          : '',
      ]),
    ),
    ...whyNotCalled(shown),
  ])
  return 0
}
