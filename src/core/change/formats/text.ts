import type { ChangeVerdict } from '../types.ts'
import { equalWords, plain, sideWords, verdictWords } from './words.ts'

/** Returns the verdict as lines for a terminal. */
export function textLines(result: ChangeVerdict): readonly string[] {
  return [
    `${verdictWords(result)}: ${short(result.base.commit)}..${result.head.dirty ? 'work tree' : short(result.head.commit)}`,
    ...result.reasons.map((reason) => `  ${plain(reason)}`),
    ...section(
      'Claims',
      result.claims.map(
        ({ text, claimed, measured, equal }) =>
          `${equalWords(equal)}: "${plain(text)}"${equal === null ? '' : ` (claimed ${plain(claimed)}, measured ${plain(measured ?? 'nothing')})`}`,
      ),
    ),
    ...section(
      'Custody',
      result.custody.map(
        ({ severity, path, line, message }) =>
          `${severity}: ${plain(path)}${line === null ? '' : `:${line}`}: ${plain(message)}`,
      ),
    ),
    ...section(
      'Checks',
      result.checks.map(
        ({ name, base, head, cleanRoom }) =>
          `${plain(name)}: base ${sideWords(base)}; head ${sideWords(head)}${cleanRoom === null ? '' : `; with the base's check files ${sideWords(cleanRoom)}`}`,
      ),
    ),
    ...section('Tests lost', result.tests.lost.map(plain)),
    ...section(
      'Tests added',
      result.tests.added.map(
        ({ name, redFirst }) =>
          `${plain(name)}${redFirst === null ? '' : redFirst ? ' (fails on the base)' : ' (passes on the base)'}`,
      ),
    ),
    ...section(
      'Tasks',
      result.contracts.flatMap(({ path, tasks }) =>
        tasks.map(({ taskId, verdict }) => `${plain(taskId)} (${plain(path)}): ${verdict ?? 'no verdict'}`),
      ),
    ),
  ]
}

/** Limit of lines of one kind, as many as anyone reads in a terminal. */
const MAX_LINES = 30

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return []
  const more = lines.length > MAX_LINES ? [`  and ${lines.length - MAX_LINES} more`] : []
  return ['', title, ...lines.slice(0, MAX_LINES).map((line) => `  ${line}`), ...more]
}

function short(commit: string): string {
  return commit.slice(0, 10)
}
