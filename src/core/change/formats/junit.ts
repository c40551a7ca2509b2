import type { ChangeVerdict } from '../types.ts'
import { plain, sideWords, verdictWords } from './words.ts'

interface Case {
  readonly suite: string
  readonly name: string
  readonly seconds: number
  readonly failure: string | null
  readonly skipped: string | null
}

/** Returns JUnit XML with one case for the verdict and for each check, claim, critical finding and task. */
export function junit(result: ChangeVerdict): string {
  const cases = casesOf(result)
  const suites = [...new Set(cases.map(({ suite }) => suite))].map((suite) => {
    const own = cases.filter((each) => each.suite === suite)
    const failures = own.filter(({ failure }) => failure !== null).length
    const skipped = own.filter((each) => each.skipped !== null).length
    const time = own.reduce((sum, { seconds }) => sum + seconds, 0)
    return [
      `  <testsuite name="${text(suite)}" tests="${own.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${time.toFixed(3)}">`,
      ...own.map(caseLine),
      '  </testsuite>',
    ].join('\n')
  })
  const failures = cases.filter(({ failure }) => failure !== null).length
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="Pulseward" tests="${cases.length}" failures="${failures}" errors="0" time="${(result.durationMs / 1000).toFixed(3)}">\n${suites.join('\n')}\n</testsuites>\n`
}

function casesOf(result: ChangeVerdict): readonly Case[] {
  const isGood = !result.applicable || result.verdict === 'verified'
  const verdict = { suite: 'pulseward.verdict', name: 'verdict', seconds: 0, skipped: null }
  return [
    { ...verdict, failure: isGood ? null : `${verdictWords(result)}: ${result.reasons.join('; ')}` },
    ...result.checks.map(({ name, head, cleanRoom }) => ({
      suite: 'pulseward.checks',
      name,
      seconds: (head?.durationMs ?? 0) / 1000,
      failure:
        head?.status === 'failed' || cleanRoom?.status === 'failed'
          ? `${sideWords(head)}${cleanRoom === null ? '' : `; with the base's check files: ${sideWords(cleanRoom)}`}`
          : null,
      skipped: head === null || head.status === 'unavailable' ? (head?.detail ?? 'not run') : null,
    })),
    ...result.claims.map(({ text: words, measured, equal }) => ({
      suite: 'pulseward.claims',
      name: words,
      seconds: 0,
      failure: equal === false ? `measured: ${measured ?? 'nothing'}` : null,
      skipped: equal === null ? 'unread' : null,
    })),
    ...result.custody.map(({ code, path, severity, message }) => ({
      suite: 'pulseward.custody',
      name: `${code}: ${path}`,
      seconds: 0,
      failure: severity === 'critical' ? message : null,
      skipped: severity === 'critical' ? null : message,
    })),
    ...result.contracts.flatMap(({ path, tasks }) =>
      tasks.map(({ taskId, verdict: own, reasons }) => ({
        suite: `pulseward.tasks.${path}`,
        name: taskId,
        seconds: 0,
        failure: own === 'verified' || own === null ? null : reasons.join('; '),
        skipped: own === null ? reasons.join('; ') : null,
      })),
    ),
  ]
}

function caseLine({ suite, name, seconds, failure, skipped }: Case): string {
  const head = `    <testcase name="${text(name)}" classname="${text(suite)}" time="${seconds.toFixed(3)}"`
  if (failure !== null) return `${head}><failure message="${text(failure)}"/></testcase>`
  // The published schema allows no attributes on it.
  return skipped === null ? `${head}/>` : `${head}><skipped>${text(skipped)}</skipped></testcase>`
}

/** Escapes text for an attribute or element, without characters that XML can't represent. */
function text(words: string): string {
  return plain(words)
    .replace(/[\ufffe\uffff]/g, '')
    .slice(0, 4000)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
