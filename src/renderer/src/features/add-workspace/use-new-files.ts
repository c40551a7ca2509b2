import { split } from 'shlex'
import type { ConfigurationEdit } from '../../../../api/schemas/configuration.ts'
import type { Template } from '../../../../api/schemas/setup.ts'
import { type SetupData, useSetup } from './add-workspace-state.ts'

/** The contract that the folder has, or that it would get. */
export function contractText(data: SetupData, templates: readonly Template[]): string {
  const { folder, templateId, contracts } = data
  return (
    folder?.contract ?? contracts[templateId] ?? templates.find(({ id }) => id === templateId)?.contract ?? ''
  )
}

/** What makes a template's configuration one for this agent and this folder. */
export function configurationEdits(data: SetupData): ConfigurationEdit[] {
  const { agent, folder, templateId } = data
  const gates: ConfigurationEdit[] =
    templateId === 'code'
      ? [{ path: ['gates', 'commands'], value: folder?.testCommand ? [folder.testCommand] : [] }]
      : []
  if (agent?.kind !== 'command') {
    return [{ path: ['agent', 'preset'], value: agent?.preset ?? 'claude' }, ...gates]
  }
  return [
    { path: ['agent', 'command'], value: wordsOf(agent.line) },
    { path: ['agent', 'preset'], value: null },
    ...gates,
  ]
}

function wordsOf(line: string): string[] {
  try {
    return split(line)
  } catch {
    // An open quote: the words as they stand; the review shows them one by one.
    return line.trim().split(/\s+/)
  }
}

/** The setup's data as a plain value. */
export function useSetupData(): SetupData {
  return useSetup()
}
