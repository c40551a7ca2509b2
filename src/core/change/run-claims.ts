import { findTestRuns } from '../claims/prose-tests.ts'
import { NO_CLAIM } from '../claims/types.ts'
import type { Description } from './description.ts'
import { claim } from './make-claim.ts'
import type { MeasuredChange } from './measured-change.ts'
import { clausesOf, sentenceAround } from './said-clauses.ts'
import type { ChangeClaim } from './types.ts'

/** Returns claims that tests pass: all of them, or a number. */
export function ofTestRuns({ units }: Description, measured: MeasuredChange): readonly ChangeClaim[] {
  const clauses = units.flatMap(({ text }) => text.split(/[.;!?](?:\s|$)|,\s/))
  const isAdmitted = (clause: string): boolean => !NOT_ADMITTED.test(clause)
  const nowFails = clauses.some((clause, at) => failsNow(clause, clauses[at - 1] ?? '') && isAdmitted(clause))
  const wasCounted = clauses.some((clause) => FAILED_COUNT.test(clause) && isAdmitted(clause))
  const isExcepted = clauses.some((clause) => EXCEPTION.test(clause) && !NO_EXCEPTION.test(clause))
  // "The tests pass" means all of them; failures mentioned beside it are in the past.
  const isPart = (words: string): boolean =>
    !OF_ALL.test(words) && (nowFails || (wasCounted && COUNT.test(words)))
  const hold = (text: string) => (words: string) => {
    if (IS_SPOKEN_OF.test(words)) return []
    if (isExcepted || isOfSome(words) || isRestricted(text, words)) return [claim('tests-pass', words)]
    return [isPart(words) ? partPasses(words, measured) : testsPass(words, measured)]
  }
  return units.flatMap(({ text }) => [
    ...findTestRuns(NO_CLAIM, withoutQuotedRuns(text).replace(NEW_AND_EXISTING, 'existing')).flatMap(
      ({ words, isPassed }) => (isPassed ? hold(text)(words) : []),
    ),
    ...clausesOf(text).flatMap((clause) => (NONE_FAIL.test(clause) ? hold(text)(clause) : [])),
  ])
}

const PASSES =
  '(?:(?:now|still|also)\\s+)*(?:passes|succeeds|is (?:now )?green|exits (?:with )?0)(?:\\s+(?:locally|now|cleanly|here))?'
/** A separate sentence: after "if", "once" or "that" it may be a plan. */
const COMMAND_PASSES = new RegExp(`(?:^|[.;!]\\s+)\`([^\`\\n]{1,200})\`\\s+${PASSES}\\s*(?=[.;!]|$)`, 'g')
const CHECKS_PASS =
  /^(?:now\s+)?(?:all|every)\s+(?:of\s+)?(?:the\s+|our\s+)?(?:checks?|gates?)\s+(?:now\s+)?(?:pass(?:es)?|succeeds?|(?:is|are) green)(?:\s+(?:locally|now|here))?$/i

/** The measured result in words, if the check passes and if it fails. */
type Words = readonly [good: string, bad: string]

const OF_EVERY_CHECK: Words = ['every check passes', 'a check fails']
const OF_ONE_CHECK: Words = ['it passes', 'it fails']

/** Returns claims that a check passes that was measured under exactly that name, or that all of them do. */
export function ofNamedChecks({ units }: Description, measured: MeasuredChange): readonly ChangeClaim[] {
  return units.flatMap(({ text, kind }) => {
    // A list item may be a requirement.
    const hold = (words: string, passed: boolean | null | undefined, [good, bad]: Words): ChangeClaim =>
      passed == null || (kind === 'item' && !passed)
        ? claim('tests-pass', words)
        : claim('tests-pass', words, { measured: passed ? good : bad, equal: passed })
    const ofAll = clausesOf(text)
      .filter((clause) => CHECKS_PASS.test(clause) && !/\?\s*$/.test(text))
      .map((clause) => hold(clause, measured.isGreen, OF_EVERY_CHECK))
    const named = [...text.matchAll(COMMAND_PASSES)].flatMap(([words, command = '']) =>
      measured.commands.has(command)
        ? [hold(words.replace(/^\W+(?=`)/, ''), measured.commands.get(command), OF_ONE_CHECK)]
        : [],
    )
    return [...ofAll, ...named]
  })
}

/** "All tests pass. The only exception is a": a disclosed failure. */
const EXCEPTION =
  /\b(?:only|one|sole|single)\s+(?:exception|failure|failing test)\b|\b(?:known|pre-?existing|unrelated)\s+(?:\w+\s+){0,2}failures?\b/i
const NO_EXCEPTION = /\b(?:no|not|never|without|fix\w*|resolv\w*|repair\w*|clos\w*|was|were|had)\b|n['’]t\b/i
/** Together, these mean all tests. */
const NEW_AND_EXISTING = /\b(?:existing and new|new and existing)\b/gi
const NONE_FAIL =
  /^\W*(?:there are\s+)?(?:no|0|zero)\s+(?:failing tests|test failures|failed tests|tests? (?:fail(?:ed|s|ing)?|are failing))\W*$/i
/** Matches something that shows whether tests pass, rather than the tests themselves. */
const IS_SPOKEN_OF =
  /\b(?:pass(?:es|ed|ing)?|green|ok)\s+(?:flag|counts?|rate|message|status|badge|label|event|state|banner|summary|line|notification|toast|percentage)\b/i
/** Tests that are a subset: the checks may not run them, or may run more. */
const OF_SOME =
  /\b(?:new|added|updated|relevant|related|affected|targeted|regression|integration|e2e|end-to-end|acceptance|smoke|browser|ui|visual|contract|(?:front|back)-?end|other|remaining|manual)\s+(?:\w+\s+){0,2}tests?\b/i
/** "45 tests pass (40 unit + 5 e2e)": a sum over several suites. */
const OF_SUITES =
  /\b\d+\s+(?!(?:pass|fail|skip|ok|error|todo|pending|total))[a-z]\w*\s*(?:\+|,|and|&)\s*\d+\s+(?!(?:pass|fail|skip|ok|error|todo|pending|total))[a-z]/i

function isOfSome(words: string): boolean {
  return OF_SOME.test(words) && !/\b(?:unit|existing)\b/i.test(words)
}

const RESTRICTED_PASS =
  /\b(?:apart from|aside from|other than|exceptions?|excluding|barring|modulo|save for|outside of)\b|\b(?:known|pre-?existing|unrelated|flaky|same)\s+(?:\w+\s+){0,3}(?:fail|red)/i

/**
 * Returns whether a claim excludes something, as in "All tests pass, with the exception of X", or adds up suites that may not all have run.
 */
function isRestricted(text: string, words: string): boolean {
  const plain = text.replace(/[*_`#"“”„]+/g, ' ').replace(/\s+/g, ' ')
  const sentence = sentenceAround(plain, Math.max(0, plain.indexOf(words)))
  return RESTRICTED_PASS.test(sentence) || OF_SUITES.test(sentence)
}

/**
 * Removes quoted results: "It reports "all tests passed"" is about what is printed. But a quote after a command is a result: "`npm test`:
 * `12 passed`".
 */
function withoutQuotedRuns(text: string): string {
  return text.replace(/`[^`\n]{1,200}`|"[^"\n]{1,200}"|“[^”\n]{1,200}”/g, (span, at: number) => {
    const isResult =
      /(?:^|[:–—→(>|-])\s*$/.test(text.slice(0, at)) && /^\W*$/.test(text.slice(at + span.length))
    const isRun = () => findTestRuns(NO_CLAIM, span.slice(1, -1)).some(({ isPassed }) => isPassed)
    return !isResult && isRun() ? ' ' : span
  })
}

/**
 * Returns whether a clause admits failures: "2 tests still fail", or "2 still fail" right after a clause about tests. With such an
 * admission nothing is claimed about all tests.
 */
function failsNow(clause: string, before: string): boolean {
  if (!FAILS_NOW.test(clause)) return false
  return OF_TESTS.test(clause) || (BARE_FAILURE.test(clause) && (OF_TESTS.test(before) || COUNT.test(before)))
}

const OF_TESTS =
  /(?:\b|_)(?:tests?|specs?|suites?)(?:\b|_)(?!\s+(?:env\w*|servers?|data|accounts?|users?|fixtures?|mode|machines?))/i
/** A failure that doesn't say what fails. */
const BARE_FAILURE =
  /^\W{0,5}(?:(?:and|but|only|the)\s+){0,2}\w+\s+(?:of\s+(?:them|those|these|\d{1,6})\s+)?(?:(?:is|are)\s+)?(?:still\s+)?fail(?:s|ing|ures?)?(?=\W{0,5}$|\s*[(:–—]|\s+(?:on|in|for|with|because|due|as|since)\b)/i
const FAILS_NOW =
  /\b(?!0\b)(?:\d{1,6}|one|two|three|four|five|some|several|others?)\s+(?:of\s+\S+\s+)?(?:[\w-]+\s+){0,3}?(?:still\s+)?fail(?:s|ing|ures?)?\b|\bstill\s+(?:fail|failing|fails|red|broken)\b/i
/** "3 passed, 2 failed". */
const FAILED_COUNT = /\b(?!0\b)\d{1,6}\s+failed\b/i
const NOT_ADMITTED =
  /\b(?:no|none|nothing|nor|never|not|without|zero|before|previous(?:ly)?|earlier|initial(?:ly)?|originally|used to|were|was|had|if|when|until|fix(?:ed)?)\b|n['’]t\b/i

const OF_ALL = /\b(?:all|every|full|whole|entire|everything)\b/i

const COUNT =
  /(?<!\d[.,])\b(\d{1,6})(?:\s?(?:\/|of|out of)\s?(\d{1,6}))?(?=\s+(?:\w+\s+){0,3}?(?:tests?|specs?|passed|pass\b|cases?))/i

type Suite = Pick<MeasuredChange, 'suite' | 'isGreen'>

/**
 * Compares a claim that some tests pass. It is false if more are claimed than exist, or if the total is right and fewer pass than claimed.
 */
function partPasses(words: string, { suite }: Suite): ChangeClaim {
  const [, part, total] = COUNT.exec(words) ?? []
  if (part === undefined || suite === null) return claim('tests-pass', words)
  const [passed, all] = [Number(part), total === undefined ? null : Number(total)]
  const said = all === null ? `${passed} tests pass` : `${passed} of ${all} tests pass`
  const measured = `${suite.passed} of ${suite.executed} tests pass`
  const isFalse = passed > suite.executed || (passed > suite.passed && all === suite.executed)
  const equal = isFalse ? false : passed === suite.passed ? true : null
  return claim('tests-pass', words, { claimed: said, measured, equal })
}

/** Checks a claimed number of passing tests. A number that may be about one suite is contradicted only if it exceeds the total. */
export function testsPass(words: string, { suite, isGreen }: Suite): ChangeClaim {
  const [, part, total] = COUNT.exec(words) ?? []
  if (part !== undefined && total !== undefined && Number(part) < Number(total))
    return partPasses(words, { suite, isGreen })
  const claimed = total ?? part
  const count = claimed === undefined ? null : Number(claimed)
  const said = count === null ? 'all tests pass' : `${count} tests pass`
  if (suite !== null && (suite.failed > 0 || isGreen === false)) {
    const failing = suite.failing.slice(0, 3).join(', ')
    const measured = `${suite.failed} of ${suite.executed} tests fail${failing === '' ? '' : `: ${failing}`}`
    return claim('tests-pass', words, { claimed: said, measured, equal: false })
  }
  if (isGreen === false)
    return claim('tests-pass', words, { claimed: said, measured: OF_EVERY_CHECK[1], equal: false })
  if (isGreen === null) return claim('tests-pass', words, { claimed: said })
  if (suite === null)
    return claim('tests-pass', words, {
      claimed: said,
      measured: OF_EVERY_CHECK[0],
      equal: count === null ? true : null,
    })
  const measured = suite.passed === 1 ? '1 test passes' : `${suite.passed} tests pass`
  if (count === null || count === suite.passed || count === suite.executed)
    return claim('tests-pass', words, { claimed: said, measured, equal: true })
  const isOfAll = /\b(?:all|every|full|whole|entire)\b|\d\s?\/\s?\d/i.test(words)
  return claim('tests-pass', words, {
    claimed: said,
    measured,
    equal: count > suite.executed && isOfAll ? false : null,
  })
}
