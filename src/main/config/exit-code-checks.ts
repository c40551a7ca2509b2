import { split } from 'shlex'
import type { ExitCodeChecks } from '../../core/contract/exit-code-hint.ts'
import { planReport } from '../../core/reports/report-plan.ts'
import type { WorkspaceConfig } from '../ports/workspace-config.ts'
import { readPackageScripts } from './detect-test-runner.ts'

/** Returns which of a configuration's commands report only an exit code, according to the files in its folder. Never rejects. */
export async function findExitCodeChecks(
  { probes, approvedCommands }: Pick<WorkspaceConfig, 'probes' | 'approvedCommands'>,
  directory: string,
): Promise<ExitCodeChecks> {
  const surroundings = { scripts: await readPackageScripts(directory), reportFile: 'report' }
  const reports = (command: string): boolean => {
    try {
      return planReport(split(command), surroundings) !== null
    } catch {
      return false
    }
  }
  return {
    probes: Object.entries(probes).flatMap(([name, { parse }]) => (parse === 'exit' ? [name] : [])),
    commands: approvedCommands.map((command) => command.trim()).filter((command) => !reports(command)),
  }
}
