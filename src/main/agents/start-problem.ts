import type { ProcessFailure } from '../process/start-failure.ts'

/** Returns why an agent's program could not be started, and how the operator can fix it. */
export function startProblem(failure: ProcessFailure, program: string): { reason: string; remedy: string } {
  const remedies: Record<ProcessFailure['kind'], string> = {
    'not-found': `Install ${program}, or change [agent] command in pulseward.toml.`,
    'not-executable': `Make it executable (chmod +x), or change [agent] command in pulseward.toml.`,
    'bad-directory': 'Restore the folder, or remove the workspace.',
    'not-contained':
      'See what `pulseward doctor` says about the sandbox, or set sandbox = "off" under [agent] in pulseward.toml.',
    'spawn-failed': 'Check [agent] command in pulseward.toml and the limits of this machine.',
  }
  return { reason: failure.message, remedy: remedies[failure.kind] }
}
