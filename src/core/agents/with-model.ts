import { AGENT_PROGRAMS, type PresetId } from './programs.ts'

/** The parts of an agent's configuration that a model affects; `AgentConfig` fits. */
interface ModelBearer {
  readonly kind: 'command' | 'acp'
  readonly preset: PresetId | null
  readonly command: readonly string[]
  readonly model: string | null
  readonly env: Readonly<Record<string, string>>
}

/**
 * Returns the agent with another model: by its option for a known program, replacing an existing one; over ACP by the protocol. Any other
 * command finds the model in `PULSEWARD_MODEL`.
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
  // Insert after the program and its subcommand, if these are as we write them.
  const differs = command.findIndex((word, index) => index > 0 && word !== usual[index])
  return command.toSpliced(Math.max(1, differs < 0 ? command.length : differs), 0, option, model)
}
