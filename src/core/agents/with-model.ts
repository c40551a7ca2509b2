import { AGENT_PROGRAMS, type PresetId } from './programs.ts'

/** What of an agent's configuration a model bears on; `AgentConfig` fits. */
interface ModelBearer {
  readonly kind: 'command' | 'acp'
  readonly preset: PresetId | null
  readonly command: readonly string[]
  readonly model: string | null
  readonly env: Readonly<Record<string, string>>
}

/**
 * The agent with another model: a known program's by its option, in the place of the one that stands there; over ACP by the protocol. Any
 * other command finds it in `PULSEWARD_MODEL`.
 */
export function withModel<Agent extends ModelBearer>(agent: Agent, model: string): Agent {
  const { kind, preset, command, env } = agent
  const asked = { ...agent, model, env: { ...env, PULSEWARD_MODEL: model } }
  const print = preset === null ? null : AGENT_PROGRAMS[preset].print
  if (kind === 'acp' || print === null) return asked
  return { ...asked, command: withOption(command, print.modelOption, model, print.command) }
}

function withOption(
  command: readonly string[],
  option: string,
  model: string,
  usual: readonly string[],
): readonly string[] {
  const at = command.indexOf(option)
  if (at >= 0 && at + 1 < command.length) return command.with(at + 1, model)
  const joined = command.findIndex((word) => word.startsWith(`${option}=`))
  if (joined >= 0) return command.with(joined, `${option}=${model}`)
  // Behind the program and its subcommand, as far as they stand as we write them.
  const differs = command.findIndex((word, index) => index > 0 && word !== usual[index])
  return command.toSpliced(Math.max(1, differs < 0 ? command.length : differs), 0, option, model)
}
