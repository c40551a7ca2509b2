import { withoutSecrets } from '../text/secrets.ts'
import { fenced } from './fence.ts'

/** Verified work of a task that did not fit its target. */
export interface PromptConflict {
  readonly taskId: string
  readonly target: string
  /** Where the earlier work can be read: a commit in the tree's repository. */
  readonly source: string
  readonly base: string
  readonly kind: 'textual' | 'semantic'
  readonly paths: readonly string[]
  readonly sides: string
  readonly reasons: readonly string[]
}

const MAX_SIDES_CHARACTERS = 12_000
const MAX_REASONS = 20
const MAX_PATHS = 20

/** Returns what the agent is told about work that came back from landing; empty where there is none. */
export function buildConflictSection(conflicts: readonly PromptConflict[]): string {
  return conflicts.map(conflictText).join('\n\n')
}

function conflictText({ taskId, target, source, base, kind, paths, sides, reasons }: PromptConflict): string {
  const files = paths.slice(0, MAX_PATHS).map((path) => `- ${code(path)}`)
  const why =
    kind === 'textual'
      ? `It could not be merged with ${code(target)}, which has moved meanwhile.`
      : `It merges with ${code(target)}, which has moved meanwhile, but the combination is not verified.`
  const parts = [
    `## Your earlier work on ${code(taskId)} could not land`,
    `An earlier attempt was verified. ${why} This directory is ${code(target)} as it is now, without that work. Do the task again so that it fits. You lose no points. ${code(`git diff ${base.slice(0, 12)} ${source.slice(0, 12)}`)} shows the earlier work.`,
    ...(files.length > 0
      ? [`${kind === 'textual' ? 'In conflict' : 'Changed by that work'}:\n\n${files.join('\n')}`]
      : []),
    ...(reasons.length > 0
      ? [`What failed:\n\n${fenced(withoutSecrets(reasons.slice(0, MAX_REASONS).join('\n')), 'text')}`]
      : []),
    ...(sides === ''
      ? []
      : [
          `Both sides, first the target and then your work:\n\n${fenced(withoutSecrets(sides.slice(0, MAX_SIDES_CHARACTERS)), 'text')}`,
        ]),
  ]
  return parts.join('\n\n')
}

function code(text: string): string {
  return `\`${text.replace(/[`\s]+/g, ' ').trim()}\``
}
