import type { ProcessFailure } from '../process/start-failure.ts'

/** Why an agent's program could not be started, and what the operator does about it. */
export function startProblem(failure: ProcessFailure, program: string): { reason: string; remedy: string } {
  const remedies: Record<ProcessFailure['kind'], string> = {
    'not-found': `Install ${program}, or change [agent] command in pulseward.toml.`,
    'not-executable': `Make it executable (chmod +x), or change [agent] command in pulseward.toml.`,
    'bad-directory': 'Bring the folder back, or remove the workspace.',
    'not-contained':
      'See what `pulseward doctor` says about the sandbox, or set sandbox = "off" under [agent] in pulseward.toml.',
    'spawn-failed': 'Check [agent] command in pulseward.toml and the limits of this machine.',
  }
  return { reason: failure.message, remedy: remedies[failure.kind] }
}
