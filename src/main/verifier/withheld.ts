import type { CheckVariables } from '../ports/check-variables.ts'
import type { ProcessRun } from '../process/run-process.ts'
import { withheldVariables } from '../process/secret-variables.ts'

/** Words by which a program says that it was denied access. */
const NOT_LET_IN =
  /\b(?:401|403|unauthori[sz]ed|forbidden|authenticat(?:e|ed|ion)|credentials?|not logged in|api key)\b|permission denied \(publickey/i

const MAX_NAMED = 5

/** Where a check that lacks a variable gets it, in words. */
type CheckPlace = 'gate' | 'probe' | 'judge'

/**
 * Returns advice for a check that may have failed because a variable was withheld: which one, by name only, and how to pass it
 * on. Empty if nothing suggests that.
 */
export function withheldHint(
  { env = {}, envFrom = [] }: CheckVariables,
  command: readonly string[],
  run: Pick<ProcessRun, 'stdout' | 'stderr'>,
  place: CheckPlace,
): string {
  const withheld = withheldVariables([...envFrom, ...Object.keys(env)])
  if (withheld.length === 0) return ''
  const said = `${run.stdout.text}\n${run.stderr.text}`
  const asked = command.join(' ')
  const named = withheld.filter((name) => speaksOf(said, name) || speaksOf(asked, name))
  const missed = named.length > 0 ? named : NOT_LET_IN.test(said) ? withheld : []
  if (missed.length === 0) return ''
  const names = missed.slice(0, MAX_NAMED)
  const more = missed.length > names.length ? ` and ${missed.length - names.length} more` : ''
  const where = place === 'gate' ? 'a gate { command = […], env_from = […] }' : `the ${place}`
  return `${names.join(', ')}${more} of your environment ${missed.length === 1 ? 'was' : 'were'} withheld from it because checks run what agents write. If it needs one, add env_from = ${JSON.stringify(names)} to ${where} in pulseward.toml.`
}

function speaksOf(text: string, name: string): boolean {
  return new RegExp(`(?<![A-Za-z0-9_])${name.replace(/[^A-Za-z0-9_]/g, '\\$&')}(?![A-Za-z0-9_])`).test(text)
}
