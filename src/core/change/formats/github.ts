import type { ChangeVerdict, Finding } from '../types.ts'
import { plain, verdictWords } from './words.ts'

/** GitHub shows at most this many per step. */
const MAX_ANNOTATIONS = 50

const LEVELS = { critical: 'error', warning: 'warning', info: 'notice' } as const satisfies Record<
  Finding['severity'],
  string
>

/** Returns workflow commands that annotate the change, at most 50; the rest is counted. */
export function githubLines(result: ChangeVerdict): readonly string[] {
  const annotations = [
    annotation(
      levelOf(result),
      null,
      null,
      `Pulseward: ${verdictWords(result)}`,
      result.reasons.slice(0, 5).join(' · '),
    ),
    ...result.claims.flatMap(({ text, measured, equal }) =>
      equal === false
        ? [
            annotation(
              'error',
              null,
              null,
              'Contradicted claim',
              `"${text}": measured ${measured ?? 'nothing'}`,
            ),
          ]
        : [],
    ),
    ...result.custody.map(({ severity, path, line, code, message }) =>
      annotation(LEVELS[severity], path, line, code, message),
    ),
  ]
  const more = annotations.length - MAX_ANNOTATIONS
  return more <= 0
    ? annotations
    : [
        ...annotations.slice(0, MAX_ANNOTATIONS - 1),
        annotation('notice', null, null, 'Pulseward', `and ${more + 1} more findings`),
      ]
}

function levelOf({ verdict, held, applicable }: ChangeVerdict): string {
  if (!applicable || verdict === 'verified') return 'notice'
  return held ? 'warning' : 'error'
}

function annotation(
  level: string,
  path: string | null,
  line: number | null,
  title: string,
  message: string,
): string {
  const properties = [
    ...(path === null ? [] : [`file=${property(path)}`]),
    ...(line === null ? [] : [`line=${line}`]),
    `title=${property(title)}`,
  ]
  return `::${level} ${properties.join(',')}::${data(message)}`
}

/** Escapes text for GitHub's runner. A remaining line break would start another command. */
function data(text: string): string {
  return plain(text.replaceAll('\n', ' ')).slice(0, 4000).replaceAll('%', '%25')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
