import type { LackingRun } from '../../core/verification/types.ts'
import type { CheckVariables } from '../ports/check-variables.ts'
import type { ProcessRun } from '../process/run-process.ts'
import { withheldVariables } from '../process/secret-variables.ts'
import type { VerifierWorld } from './program.ts'
import { readFileIn } from './workspace-file.ts'

/** Phrases with which a program says that it was denied access. */
const NOT_LET_IN =
  /\b(?:401|403|unauthori[sz]ed|forbidden|authenticat(?:e|ed|ion)|credentials?|not logged in|api key)\b|permission denied \(publickey/i
/** The same for databases, and for an address that falls back to one where nothing listens. */
const NOT_REACHED =
  /\b(?:access denied|noauth|no password supplied|using password: no|connection (?:to server|refused)|econnrefused|could not connect)\b/i
/** Phrases with which a program says that it needs a variable, whose name is a NUL here. */
const MISSES =
  /\b(?:not|never) (?:been )?(?:set|defined|found|provided|given|configured|exported|available|specified)\b|n't (?:set|defined|found|provided|configured|specified)\b|\b(?:unset|undefined|missing|required?s?|unbound|empty|keyerror|must be|parameter null|needs?)\b|\b(?:set|export|provide|define)\b[^.\0]{0,40}\0/i
/** Phrases with which a program says that it continues without it. */
const GOES_ON = /\bwarn(?:ing)?\b|\bskip|\bignor|\boptional|\bdeprecat|\bfall(?:s|ing)? back|\bnpm notice\b/i

const MAX_NAMED = 5
/** How far from its name a statement about a variable may be: a report may be a single line. */
const BESIDE = 100
const MAX_SCRIPT_BYTES = 256 * 1024
const MAX_SCRIPTS = 10

/** The kind of check, which decides where it can get a missing variable. */
type CheckPlace = 'gate' | 'probe' | 'judge'

/**
 * Returns advice for a check that may have failed because a variable was withheld: which one, by name only, and how to pass it
 * on. Empty if nothing suggests that.
 */
export function withheldHint(
  variables: CheckVariables,
  command: readonly string[],
  run: Pick<ProcessRun, 'stdout' | 'stderr'>,
  place: CheckPlace,
): string {
  const withheld = withheldFrom(variables)
  if (withheld.length === 0) return ''
  const said = saidBy(run)
  const asked = command.join(' ')
  const named = withheld.filter((name) => speaksOf(said, name) || speaksOf(asked, name))
  const missed = named.length > 0 ? named : NOT_LET_IN.test(said) ? withheld : []
  if (missed.length === 0) return ''
  const names = missed.slice(0, MAX_NAMED)
  const more = missed.length > names.length ? ` and ${missed.length - names.length} more` : ''
  const where = place === 'gate' ? 'a gate { command = […], env_from = […] }' : `the ${place}`
  return `${names.join(', ')}${more} of your environment ${missed.length === 1 ? 'was' : 'were'} withheld from it because checks run what agents write. If it needs one, add env_from = ${JSON.stringify(names)} to ${where} in pulseward.toml.`
}

/**
 * Returns the withheld variables that a failed check seems to lack; `undefined` if there are none. Either its output says so next to the
 * variable's name, or it prints nothing or that access was denied, and its command or a script that the command names uses the
 * variable. This is not proof, because the agent's code may print anything, so the judgement compares it with a run before any
 * work.
 *
 * `reports`: the texts of its test runner's reports.
 */
export async function lackingRun(
  world: VerifierWorld,
  variables: CheckVariables,
  command: readonly string[],
  run: Pick<ProcessRun, 'stdout' | 'stderr' | 'exitCode'>,
  reports: readonly string[] = [],
): Promise<LackingRun | undefined> {
  const withheld = run.exitCode === 0 ? [] : withheldFrom(variables)
  if (withheld.length === 0) return undefined
  const said = saidBy(run)
  const missed = withheld.filter((name) => [said, ...reports].some((text) => missesIn(text, name)))
  const saysNoMore = said.trim() === '' || NOT_LET_IN.test(said) || NOT_REACHED.test(said)
  const used = saysNoMore && reports.length === 0 ? await usedBy(world, command, withheld) : []
  const names = [...new Set([...missed, ...used])].slice(0, MAX_NAMED)
  return names.length === 0 ? undefined : { variables: names, exitCode: run.exitCode }
}

function withheldFrom({ env = {}, envFrom = [] }: CheckVariables): readonly string[] {
  return withheldVariables([...envFrom, ...Object.keys(env)])
}

function saidBy({ stdout, stderr }: Pick<ProcessRun, 'stdout' | 'stderr'>): string {
  return `${stdout.text}\n${stderr.text}`
}

/** Returns whether a text says that the variable is missing, without saying that it continues without it. */
function missesIn(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const [before] = text
      .slice(Math.max(0, at - BESIDE), at)
      .split(LINE_END)
      .slice(-1)
    const [after] = text.slice(at, at + name.length + BESIDE).split(LINE_END)
    const line = `${before}${after}`
    if (speaksOf(line, name) && MISSES.test(line.replaceAll(name, '\0')) && !GOES_ON.test(line)) return true
  }
  return false
}

/** Reports in JSON contain line ends as two characters. */
const LINE_END = /\r?\n|\\n/

/** Returns the variables used by a command itself, or by a workspace script that one of its words names. */
async function usedBy(
  world: VerifierWorld,
  command: readonly string[],
  names: readonly string[],
): Promise<readonly string[]> {
  const texts = [command.join(' ')]
  const words = new Set(
    command.flatMap((word) => word.split(/[\s;&|()'"]+/)).filter((word) => /[./]/.test(word)),
  )
  for (const word of [...words].slice(0, MAX_SCRIPTS)) {
    const reading = await readFileIn(world, word, MAX_SCRIPT_BYTES)
    if (reading.kind === 'text') texts.push(reading.text)
  }
  return names.filter((name) => texts.some((text) => speaksOf(text, name)))
}

function speaksOf(text: string, name: string): boolean {
  return new RegExp(`(?<![A-Za-z0-9_])${name.replace(/[^A-Za-z0-9_]/g, '\\$&')}(?![A-Za-z0-9_])`).test(text)
}
