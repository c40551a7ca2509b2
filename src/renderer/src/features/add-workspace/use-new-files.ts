import { split } from 'shlex'
import type { ConfigurationEdit } from '../../../../api/schemas/configuration.ts'
import type { Template } from '../../../../api/schemas/setup.ts'
import { type SetupData, useSetup } from './add-workspace-state.ts'

/** Returns the contract that the folder has, or would get. */
export function contractText(data: SetupData, templates: readonly Template[]): string {
  const { folder, templateId, contracts } = data
  const template = templates.find(({ id }) => id === templateId)?.contract ?? ''
  return folder?.contract ?? contracts[templateId] ?? (countsTests(data) ? template : withoutTests(template))
}

/** Returns whether the contract's configuration has the probe that the starter's check reads. */
function countsTests({ folder, report }: SetupData): boolean {
  if (folder === null) return true
  if (folder.configuration === null) return folder.testProbe !== null
  return report === null || probeNames(report.values).includes('tests')
}

/** Removes the conditions on `tests` from a starter's check, because no probe measures them in this folder. */
function withoutTests(contract: string): string {
  return contract.replaceAll(/\btests\.\w+ [=>]+ \d+ && /g, '')
}

/** Returns the edits that adapt a template's configuration to this agent and this folder. */
export function configurationEdits(data: SetupData): ConfigurationEdit[] {
  const { agent, folder, isolation, templateId } = data
  const isIsolated = folder?.isGit === true && isolation === 'worktree'
  const rest: ConfigurationEdit[] = [
    ...(templateId === 'code' ? testEdits(folder) : []),
    ...(isIsolated ? [{ path: ['workspace', 'isolation'], value: isolation }] : []),
  ]
  if (agent?.kind !== 'command') {
    return [{ path: ['agent', 'preset'], value: agent?.preset ?? 'claude' }, ...rest]
  }
  const name = agent.name.trim() === '' ? nameOfProgram(agent.line) : agent.name.trim()
  return [
    ...(name === null ? [] : [{ path: ['agent', 'id'], value: name }]),
    { path: ['agent', 'command'], value: wordsOf(agent.line) },
    { path: ['agent', 'preset'], value: null },
    ...rest,
  ]
}

/** Returns the edits for tests: if the runner reports, a probe counts them; otherwise the test command is a gate, and no probe is left. */
function testEdits(folder: SetupData['folder']): ConfigurationEdit[] {
  if (folder?.testProbe) {
    const { command, parse } = folder.testProbe
    return [
      { path: ['probes', 'tests', 'command'], value: command },
      { path: ['probes', 'tests', 'parse'], value: parse },
    ]
  }
  const gate = folder?.testCommand
  return [
    { path: ['probes', 'tests'], value: null },
    ...(gate ? [{ path: ['gates', 'commands'], value: [gate] }] : []),
  ]
}

/** Programs that run what is named after them: agents must not all be called `node`. */
const INTERPRETERS = /^(?:node|deno|bun|bunx|npx|tsx|python[\d.]*|ruby|perl|php|sh|bash|zsh|env|uv|uvx)$/u

/** Suggests a name for a program: its own, not its interpreter's; `null` if it has no usable one. */
export function nameOfProgram(line: string): string | null {
  const words = wordsOf(line).map((word) => word.split(/[\\/]/u).at(-1) ?? '')
  const [program = '', ...rest] = words
  const isNoName = (word: string) => word.startsWith('-') || word === 'run' || word.includes('=')
  const named = INTERPRETERS.test(program) ? (rest.find((word) => !isNoName(word)) ?? program) : program
  const name = named
    .replace(/\.(?:[cm]?[jt]s|py|rb|pl|php|sh|exe)$/u, '')
    .replaceAll(/[^A-Za-z0-9._-]/gu, '-')
  return isAgentName(name) ? name : null
}

/** Whether the configuration accepts this name. */
export function isAgentName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u.test(name)
}

function wordsOf(line: string): string[] {
  try {
    return split(line)
  } catch {
    // An open quote: split at spaces; the review shows the words one by one.
    return line.trim().split(/\s+/)
  }
}

/** Returns the setup's data as a plain value. */
export function useSetupData(): SetupData {
  return useSetup()
}

/** Returns the names that follow `probes.` in the configuration's settings. */
export function probeNames(values: Readonly<Record<string, unknown>>): string[] {
  const names = Object.keys(values).flatMap((name) => /^probes\.([^.]+)\./u.exec(name)?.[1] ?? [])
  return [...new Set(names)]
}
