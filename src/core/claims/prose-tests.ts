import { type EvidenceReference, findEvidence } from './evidence-references.ts'
import { readProse } from './prose.ts'
import { readableLines } from './terminal-text.ts'
import type { Claim } from './types.ts'

/** Tests that an agent says it ran. */
export interface TestRunClaim {
  /** Its own words on one line, truncated. */
  readonly words: string
  /** The command it names; `null` if it names none. */
  readonly command: string | null
  /** True if it says that they passed; `false` if only that they ran. */
  readonly isPassed: boolean
}

const MAX_CLAIMS = 20
const MAX_WORDS = 200
/** Agents sum up at the end; earlier text reports on work in progress. */
const MAX_CHARACTERS = 64 * 1024
const MAX_UNITS = 400

const OF_TESTS =
  '(?:(?:the|my|our|its|new|existing|unit|integration|e2e|end-to-end|regression|relevant|other|automated|project|full|whole|entire|complete|test|of)\\s+){0,5}'
const TESTS = '(?:tests?|specs?|test suites?|suites?|test cases?)'
const PASSED: readonly RegExp[] = [
  // "all 12 tests pass", "the test suite is green", "Tests: passed"
  new RegExp(
    `(?:^|\\b(?:all|every|the|both|\\d[\\d,.]{0,8}(?:\\s?/\\s?\\d[\\d,.]{0,8})?)\\s+)${OF_TESTS}(?:\\d{1,6}\\s+)?${TESTS}\\b[\\s:–—-]+(?:(?:now|still|also|all|have|has|are|is|were|run and)\\s+){0,3}(?:pass(?:es|ed|ing)?|succeed(?:s|ed)?|successful(?:ly)?|green|ok)\\b`,
    'i',
  ),
  // "12 passed", "12/12 tests passed"
  /\b\d{1,6}(?:\s?\/\s?\d{1,6})?\s+(?:tests?\s+)?passed\b/i,
]
const RAN = new RegExp(
  `\\b(?:ran|re-?ran|executed)\\s+(?:all\\s+)?${OF_TESTS}${TESTS}\\b(?!\\s+(?:files?|plans?|results?|data))`,
  'i',
)
/** Words in the clause that make it a condition, a plan, a wish, a denial, someone else's run or an earlier run. */
const NOT_A_CLAIM =
  /\b(?:not|no|none|never|nor|neither|cannot|can|could|would|should|shall|will|may|might|must|if|when|once|until|till|unless|whether|before|after|so that|to (?:make|get|see|check|ensure|let)|expect\w{0,4}|assum\w{0,4}|hope\w{0,3}|think|believe\w{0,1}|presumably|probably|likely|need\w{0,2}|please|you|your|user|ensure|make sure|want\w{0,2}|unable|fail(?:ed|s|ing)? to|CI|pipeline|upstream|previous(?:ly)?|already|earlier|someone|they|says?|claims?|manual(?:ly)?)\b|n['’]t\b|['’]ll\b/i
const SOME_FAILED =
  /\b(?!0\b)(?:\d{1,6}|some|one|two|several|other)\s+(?:(?:tests?|others?)\s+)?(?:still\s+)?(?:fail(?:ed|s|ing|ures?)?|errors?)\b|\bexcept\b|\bbut\b/i
const CLAUSE_END = /(?<!\.\d{0,3})[.;!](?:\s+|$)|\s[–—]\s/
const RESULT_PASSED =
  /\b(?:pass(?:es|ed|ing)?|ok|green|succe\w{1,6}|clean|exit(?:ed)?(?: with)?(?: code)? 0|0 fail\w{0,5}|no (?:errors?|failures?))\b/i
const RESULT_FAILED =
  /\b(?!0\b)\d{1,6}\s+(?:fail|error)|(?<!\b(?:0|no|none)\s)\bfail(?:ed|s|ing)\b(?!\s*[:=]?\s*0)|\bexit(?:ed)?(?: with)?(?: code)? [1-9]/i
/** A program, script or target that runs tests. */
const TEST_COMMAND =
  /(?:^|[\s/:;&|'"_.-])(?:tests?|pytest|unittest|jest|vitest|mocha|ava|ctest|tox|nox|rspec|phpunit|playwright|cypress|specs?)(?=$|[\s/:;&|'"_.=-])/i

/** Returns whether a command line names a test program, script or target. */
export function runsTests(command: string): boolean {
  return TEST_COMMAND.test(command)
}

/**
 * Returns the test runs that an agent claims, each once, at most 20: commands it offers as evidence, and sentences of its
 * report and its text. `output` is what it said in the run, empty if it is unknown which task that is about. Plans, conditions
 * and other people's runs don't count. Pure, linear; never throws.
 */
export function findTestRuns(claim: Claim, output: string): readonly TestRunClaim[] {
  const text = output.slice(-MAX_CHARACTERS)
  const commands = findEvidence(claim, text).flatMap(ofCommand)
  const said = readProse(readableLines(text))
    .slice(-MAX_UNITS)
    .map((unit) => unit.text)
  const sentences = [...claim.evidence, ...said].flatMap(ofText)
  const distinct = new Map<string, TestRunClaim>()
  for (const each of [...commands, ...sentences]) {
    if (distinct.size < MAX_CLAIMS && !distinct.has(each.words)) distinct.set(each.words, each)
  }
  return [...distinct.values()]
}

function ofCommand(reference: EvidenceReference): readonly TestRunClaim[] {
  if (reference.kind !== 'command' || !runsTests(reference.command)) return []
  const { command, result } = reference
  // An item about a command that should run, or could not, doesn't claim a run.
  if (NOT_A_CLAIM.test(reference.item.replace(command, ''))) return []
  const words = result === null ? command : `${command}: ${result}`
  const isPassed = result !== null && RESULT_PASSED.test(result) && !RESULT_FAILED.test(result)
  return [{ words: shorten(words), command, isPassed }]
}

function ofText(text: string): readonly TestRunClaim[] {
  return text
    .slice(0, 2000)
    .replace(/[*_`#"“”„]+/g, ' ')
    .split(CLAUSE_END)
    .flatMap((clause) => {
      const words = clause.replace(/\s+/g, ' ').trim()
      const isPassed = PASSED.some((pattern) => pattern.test(words))
      if (!isPassed && !RAN.test(words)) return []
      if (NOT_A_CLAIM.test(words) || words.endsWith('?')) return []
      return [{ words: shorten(words), command: null, isPassed: isPassed && !SOME_FAILED.test(words) }]
    })
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= MAX_WORDS ? line : `${line.slice(0, MAX_WORDS - 1)}…`
}
