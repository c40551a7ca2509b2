import type { GateResult, LackingCheck, VerdictInput } from '../verification/types.ts'
import { commandCheck, probeCheck } from './check-names.ts'

/** Returns the checks that fail because variables were withheld from them, as they did before any work: the task's, then gates. */
export function lackingChecks({
  lacking,
  gates,
}: Pick<VerdictInput, 'lacking' | 'gates'>): readonly LackingCheck[] {
  return [...(lacking?.checks ?? []), ...lackingGates(gates)]
}

/** Returns the gates that lack variables. */
export function lackingGates(gates: readonly GateResult[]): readonly LackingCheck[] {
  return gates.flatMap(({ command, status, lacksInBase }) =>
    status === 'failed' && lacksInBase !== undefined ? [lackingGate(command, lacksInBase)] : [],
  )
}

/** Returns a gate that lacks variables, with the remedy. */
export function lackingGate(command: readonly string[], variables: readonly string[]): LackingCheck {
  const [words, names] = [JSON.stringify(command), JSON.stringify(variables)]
  return {
    check: `the gate \`${command.join(' ')}\``,
    variables,
    remedy: `If it may have ${listed(variables)}, write { command = ${words}, env_from = ${names} } under [gates] in pulseward.toml.`,
  }
}

/** Returns a check of a task by its name in the record, with the remedy. */
export function lackingCheck(check: string, variables: readonly string[]): LackingCheck {
  const names = `env_from = ${JSON.stringify(variables)}`
  const may = `If it may have ${listed(variables)},`
  const probe = check.startsWith(probeCheck('')) ? check.slice(probeCheck('').length) : null
  if (probe !== null)
    return {
      check: `the probe ${probe}`,
      variables,
      remedy: `${may} add ${names} to [probes.${probe}] in pulseward.toml.`,
    }
  const command = check.slice(commandCheck('').length)
  return {
    check: `the command \`${command}\``,
    variables,
    remedy: `${may} make it a probe in pulseward.toml, with parse = "exit" and ${names}: a command of succeeds() gets no variables.`,
  }
}

/** Returns the sentence that the operator sees about it. */
export function sayLacking({ check, variables }: LackingCheck): string {
  const were = variables.length === 1 ? 'was' : 'were'
  return `${check} lacks ${listed(variables)}, which ${were} withheld from it; it failed in the same way before any work`
}

/** Returns the input as if those checks passed, because an agent that reports failure may only mean them. */
export function asIfNoneLacked(input: VerdictInput): VerdictInput {
  const { lacking, claim, gates } = input
  const says = lacking !== undefined && claim.status === 'failed'
  return {
    ...input,
    ...(lacking !== undefined && { after: lacking.after, criteria: lacking.criteria }),
    ...(says && { claim: { ...claim, status: 'done' } }),
    gates: gates.map((gate) => (gate.lacksInBase === undefined ? gate : { ...gate, status: 'passed' })),
  }
}

function listed(names: readonly string[]): string {
  return names.join(', ')
}
