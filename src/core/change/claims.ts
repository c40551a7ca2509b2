import type { ProseUnit } from '../claims/prose.ts'
import { findSpokenFiles } from '../claims/prose-files.ts'
import { findTestRuns } from '../claims/prose-tests.ts'
import { findSpokenValues } from '../claims/prose-values.ts'
import type { ReportEntry } from '../claims/report.ts'
import { type JsonValue, NO_CLAIM } from '../claims/types.ts'
import { cut, oneLine } from '../text/quote.ts'
import { compareValues, readingFor, showValue, valueAt } from '../verification/values.ts'
import type { Description } from './description.ts'
import { isOnlyDocumentation } from './documentation.ts'
import type { MeasuredChange } from './measured-change.ts'
import { holdFile, type NamedFile, type Verb } from './named-file.ts'
import type { ChangeClaim, ClaimKind } from './types.ts'

const MAX_TEXT = 200
/** A description with more claims than this is a log. */
const MAX_CLAIMS = 200

/** Holds everything that a description claims against what was measured. Precision goes first: what cannot be told is unread. */
export function holdClaims(description: Description, measured: MeasuredChange): readonly ChangeClaim[] {
  const found = description.hasReport
    ? description.entries.flatMap((entry) => ofReport(entry, measured))
    : [
        ...description.units.flatMap((unit) => ofUnit(unit, measured)),
        ...ofTestRuns(description, measured),
        ...ofValues(description, measured),
        ...ofRegression(description, measured),
      ]
  const all = [...found, ...ofBoxes(description, measured)]
  const distinct = new Map(all.map((claim) => [`${claim.kind}\0${claim.subject}\0${claim.claimed}`, claim]))
  return [...distinct.values()].slice(0, MAX_CLAIMS)
}

function claim(
  kind: ClaimKind,
  text: string,
  rest: Partial<Omit<ChangeClaim, 'kind' | 'text'>> = {},
): ChangeClaim {
  return {
    text: cut(oneLine(text), MAX_TEXT),
    kind,
    subject: '',
    claimed: cut(oneLine(text), MAX_TEXT),
    measured: null,
    equal: null,
    ...rest,
  }
}

function ofReport({ claim: said }: ReportEntry, measured: MeasuredChange): readonly ChangeClaim[] {
  const files = said.files.map(({ path }) => {
    const named: NamedFile = { path, verb: 'changed', isCertain: true }
    return fileClaim(path, named, measured)
  })
  const values = Object.entries(said.values).map(([name, value]) => valueClaim(name, value, measured))
  const runs = findTestRuns({ ...NO_CLAIM, evidence: said.evidence, source: 'report' }, '').flatMap(
    ({ words, isPassed }) => (isPassed ? [testsPass(words, measured)] : []),
  )
  return [...files, ...values, ...runs]
}

function fileClaim(text: string, named: NamedFile, measured: MeasuredChange): ChangeClaim {
  const { equal, words } = holdFile(named, measured)
  return claim('file', text, { subject: named.path, claimed: named.verb, measured: words, equal })
}

function valueClaim(name: string, value: JsonValue, { readings }: MeasuredChange): ChangeClaim {
  const claimed = showValue(value)
  const text = `${name} = ${claimed}`
  const found = readingFor(name, readings)
  const real = found?.reading.kind === 'value' ? valueAt(found.reading.value, found.path) : undefined
  if (found?.reading.kind !== 'value' || real === undefined)
    return claim('value', text, { subject: name, claimed })
  const relation = compareValues(value, real, found.reading.tolerance)
  return claim('value', text, {
    subject: name,
    claimed,
    measured: showValue(real),
    equal: relation === 'incomparable' ? null : relation === 'agrees',
  })
}

function ofUnit(unit: ProseUnit, measured: MeasuredChange): readonly ChangeClaim[] {
  const { text } = unit
  return [
    ...ofFiles(unit, measured),
    ...ofTestsAdded(text, measured),
    ...ofUnchangedTests(text, measured),
    ...ofDocsOnly(text, measured),
    ...ofUnread(text),
  ]
}

/** The verb that says most of what became of a file. */
const VERBS: readonly (readonly [Verb, RegExp])[] = [
  ['renamed', /\b(?:renamed|moved)\b/i],
  ['removed', /\b(?:deleted|removed)\b/i],
  ['added', /\b(?:created|added|new files?)\b/i],
  ['written', /\b(?:wrote|written|generated|saved|produced|stored)\b/i],
  ['changed', /\b(?:modified|updated|edited|changed|rewrote|rewritten|overwrote|appended|patched)\b/i],
]
/** Behind a path that was named for itself, and not for what a word after it says: "added `a.json` support". */
const ENDS_THERE =
  /^[\s`'"*_)\]]*(?:$|[.,;:!?(–—|&+-]|(?:to|with|so|for|that|which|and|in|as|by|from|because|since|accordingly|has|have|was|were|is|are|now|instead)\b)/i

function ofFiles(unit: ProseUnit, measured: MeasuredChange): readonly ChangeClaim[] {
  return findSpokenFiles([unit]).map(({ path }) => {
    const at = unit.text.indexOf(path)
    const before = unit.text.slice(0, Math.max(at, 0))
    const behind = at < 0 ? '' : unit.text.slice(at + path.length)
    const verb = lastVerb(before) ?? lastVerb(behind)
    const isCertain =
      verb !== null && ENDS_THERE.test(behind) && !/\b(?:in|from|inside|within)\s+[`'"*_]*$/i.test(before)
    return fileClaim(unit.text, { path, verb: verb ?? 'changed', isCertain }, measured)
  })
}

function lastVerb(text: string): Verb | null {
  let best: { at: number; verb: Verb } | null = null
  for (const [verb, pattern] of VERBS)
    for (const { index } of text.matchAll(new RegExp(pattern.source, 'gi')))
      if (best === null || index > best.at) best = { at: index, verb }
  return best?.verb ?? null
}

const TESTS_ADDED =
  /\b(?:add(?:ed|s)|wrote|created|includes?|introduc(?:ed|es)|extended?)\s+(?:(?:a|an|some|new|more|several|multiple|comprehensive|thorough|unit|integration|e2e|regression|corresponding|the|additional|(?<count>\d{1,4}|one|two|three|four|five))\s+){0,5}(?:test(?:s|\s+cases?|\s+suites?|\s+coverage)?|specs?)\b(?!\s*(?:data|fixtures?|plan|results?|mode|account|key|user|flag|option|id|command|script|utilit|helper|infra|dependenc|runner|workflow|job|env))/i
const NOT_CLAIMED =
  /\b(?:not|no|never|without|cannot|can't|couldn't|won't|will|would|should|could|might|plan|todo|please|if|when|later|follow-?up|need(?:s|ed)?|want|missing|lacks?|already|previous(?:ly)?|earlier|separate|another|upstream)\b|n['’]t\b|\?/i
const WORDS_OF_NUMBERS: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4, five: 5 }

function ofTestsAdded(text: string, measured: MeasuredChange): readonly ChangeClaim[] {
  const match = TESTS_ADDED.exec(text)
  if (match === null || NOT_CLAIMED.test(clauseAround(text, match.index))) return []
  const word = match.groups?.count?.toLowerCase()
  const count = word === undefined ? null : (WORDS_OF_NUMBERS[word] ?? Number(word))
  const added = measured.tests.added.length + (measured.suite?.added.length ?? 0)
  const files = measured.changes.filter(
    ({ path, after }) => after !== null && measured.isTestFile(path),
  ).length
  const claimed = count === null ? 'tests added' : `${count} tests added`
  if (files === 0 && added === 0)
    return [
      claim('tests-added', match[0], { claimed, measured: 'no test was added or changed', equal: false }),
    ]
  const real = Math.max(measured.tests.added.length, measured.suite?.added.length ?? 0)
  // Parameters and loops make many tests of one: fewer than claimed may be the same ones counted otherwise.
  const equal = count === null || real >= count ? true : null
  const words = real === 0 ? `${files} test files changed` : `${real} tests added`
  return [claim('tests-added', match[0], { claimed, measured: words, equal })]
}

function clauseAround(text: string, at: number): string {
  const start = Math.max(...['. ', '; ', ', but '].map((end) => text.lastIndexOf(end, at)), 0)
  const rest = text.slice(at)
  const end = rest.search(/[.;](?:\s|$)/)
  return text.slice(start, end < 0 ? text.length : at + end)
}

const UNCHANGED_TESTS =
  /\b(?:no|without (?:changing|touching|modifying|editing) (?:any |the |existing )*)\s*(?:existing )?tests?(?: files?| cases?)?\s*(?:(?:were|was|are|have been|has been)\s+)?(?:changed|modified|touched|edited|altered|removed)?\b|\b(?:existing |all )?tests (?:are |were |remain |left |stay(?:ed)? )*(?:unchanged|untouched|unmodified)\b/i

function ofUnchangedTests(text: string, measured: MeasuredChange): readonly ChangeClaim[] {
  const match = UNCHANGED_TESTS.exec(text)
  // "No tests" alone says that there are none.
  if (match === null || !/\b(?:chang|modif|touch|edit|alter|remov|un)/i.test(match[0])) return []
  const clause = clauseAround(text, match.index)
  if (
    /\b(?:if|should|ensure|make sure|unless|would|except|apart|other than|needed|required|\?)\b/i.test(clause)
  )
    return []
  const changed = measured.changes.filter(({ path, before }) => before !== null && measured.isTestFile(path))
  const added = measured.changes.filter(({ path, before }) => before === null && measured.isTestFile(path))
  const [first] = changed
  if (first !== undefined)
    return [
      claim('tests-unchanged', match[0], {
        claimed: 'no test changed',
        measured: `${changed.length} test files changed, ${first.path} among them`,
        equal: false,
      }),
    ]
  return [
    claim('tests-unchanged', match[0], {
      claimed: 'no test changed',
      measured: added.length === 0 ? 'no test file changed' : `${added.length} test files added`,
      equal: added.length === 0 ? true : null,
    }),
  ]
}

const DOCS_ONLY =
  /\b(?:docs?|documentation|comments?|readme)[- ]only\b|\bonly (?:(?:the|touches|changes|updates|affects|modifies) )?(?:docs?|documentation|comments|readme)\b(?!\s+(?:site|build|folder|workflow))|\bno (?:code|functional|source code|behaviou?r(?:al)?|production code|logic) changes?\b/i

function ofDocsOnly(text: string, measured: MeasuredChange): readonly ChangeClaim[] {
  const match = DOCS_ONLY.exec(text)
  if (
    match === null ||
    /\b(?:not|n't|if|unless|should|apart|except|other than|for now)\b/i.test(
      clauseAround(text, match.index).replace(match[0], ''),
    )
  )
    return []
  // What "functional" means can't be measured.
  const isMeasured = !/functional|behavio|logic/i.test(match[0])
  const other = isMeasured ? measured.changes.find((change) => !isOnlyDocumentation(change)) : undefined
  if (!isMeasured) return [claim('docs-only', match[0])]
  return [
    claim('docs-only', match[0], {
      claimed: 'documentation only',
      measured: other === undefined ? 'documentation only' : `${other.path} changed`,
      equal: other === undefined,
    }),
  ]
}

const UNREAD: readonly (readonly [ClaimKind, RegExp])[] = [
  [
    'quality',
    /\b(?:no breaking changes?|backwards?[- ]compatib\w+|(?:improves?|better|faster) performance|performance (?:gain|improvement)s?|\d+(?:\.\d+)?\s?[x×%] faster|production[- ]ready|fully tested|clean code)\b/i,
  ],
  ['coverage', /\b(?:coverage[^.\n]{0,40}\d{1,3}(?:\.\d+)?\s?%|\d{1,3}(?:\.\d+)?\s?% (?:test )?coverage)/i],
]

function ofUnread(text: string): readonly ChangeClaim[] {
  return UNREAD.flatMap(([kind, pattern]) => {
    const match = pattern.exec(text)
    return match === null ? [] : [claim(kind, match[0])]
  })
}

function ofTestRuns({ units }: Description, measured: MeasuredChange): readonly ChangeClaim[] {
  const clauses = units.flatMap(({ text }) => text.split(/[.;!?](?:\s|$)|,\s/))
  const isAdmitted = (clause: string): boolean => !NOT_ADMITTED.test(clause)
  const nowFails = clauses.some((clause, at) => failsNow(clause, clauses[at - 1] ?? '') && isAdmitted(clause))
  const wasCounted = clauses.some((clause) => FAILED_COUNT.test(clause) && isAdmitted(clause))
  // "The tests pass" is about all of them; that some failed is then what came before.
  const isPart = (words: string): boolean =>
    !OF_ALL.test(words) && (nowFails || (wasCounted && COUNT.test(words)))
  return units.flatMap(({ text }) =>
    findTestRuns(NO_CLAIM, text).flatMap(({ words, isPassed }) =>
      isPassed ? [isPart(words) ? partPasses(words, measured) : testsPass(words, measured)] : [],
    ),
  )
}

/** "2 tests still fail", or "2 still fail" right after words about tests: an agent that says so claims nothing of all tests. */
function failsNow(clause: string, before: string): boolean {
  if (!FAILS_NOW.test(clause)) return false
  return OF_TESTS.test(clause) || (BARE_FAILURE.test(clause) && (OF_TESTS.test(before) || COUNT.test(before)))
}

const OF_TESTS =
  /(?:\b|_)(?:tests?|specs?|suites?)(?:\b|_)(?!\s+(?:env\w*|servers?|data|accounts?|users?|fixtures?|mode|machines?))/i
/** Without a word for what fails. */
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

/** Compares a claim that some tests pass: false only if fewer pass than it says, of no more than there are, or fewer are there. */
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

/** Checks a claimed number of passing tests. A number that may be one suite's contradicts only if it exceeds the total. */
function testsPass(words: string, { suite, isGreen }: Suite): ChangeClaim {
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
    return claim('tests-pass', words, { claimed: said, measured: 'a check fails', equal: false })
  if (isGreen === null) return claim('tests-pass', words, { claimed: said })
  if (suite === null)
    return claim('tests-pass', words, {
      claimed: said,
      measured: 'every check passes',
      equal: count === null ? true : null,
    })
  const measured = `${suite.passed} tests pass`
  if (count === null || count === suite.passed || count === suite.executed)
    return claim('tests-pass', words, { claimed: said, measured, equal: true })
  const isOfAll = /\b(?:all|every|full|whole|entire)\b|\d\s?\/\s?\d/i.test(words)
  return claim('tests-pass', words, {
    claimed: said,
    measured,
    equal: count > suite.executed && isOfAll ? false : null,
  })
}

function ofValues({ units }: Description, measured: MeasuredChange): readonly ChangeClaim[] {
  if (measured.probeNames.length === 0) return []
  const values = findSpokenValues(
    units.map(({ text }) => text),
    measured.probeNames,
  )
  return Object.entries(values).map(([name, value]) => valueClaim(name, value, measured))
}

const ISSUE = /\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)\s*:?\s+(?:\w[\w.-]*\/[\w.-]+)?#(\d{1,7})\b/gi
const REGRESSION = /\bregression[- ]tests?\b/i

/** "Fixes #12" says nothing that can be measured; with a regression test beside it, that test has to fail on the base. */
function ofRegression({ units }: Description, measured: MeasuredChange): readonly ChangeClaim[] {
  const text = units.map((unit) => unit.text).join('\n')
  const issues = [...new Set([...text.matchAll(ISSUE)].map(([, number]) => number ?? ''))]
  if (issues.length === 0) return []
  const spoken = units.find((unit) => REGRESSION.test(unit.text) && !NOT_CLAIMED.test(unit.text))
  const added = measured.suite?.added ?? []
  const known = added.filter(({ redFirst }) => redFirst !== null)
  if (spoken === undefined || known.length === 0)
    return issues.map((number) => claim('issue', `fixes #${number}`, { subject: `#${number}` }))
  const red = known.filter(({ redFirst }) => redFirst === true)
  const isAllKnown = known.length === added.length
  return [
    claim('regression-test', spoken.text, {
      subject: issues.map((number) => `#${number}`).join(', '),
      claimed: 'a test that fails without the fix',
      measured: red.length > 0 ? `${red[0]?.name} fails on the base` : 'every added test passes on the base',
      equal: red.length > 0 ? true : isAllKnown ? false : null,
    }),
  ]
}

function ofBoxes({ ticked }: Description, { boxes }: MeasuredChange): readonly ChangeClaim[] {
  return ticked.map((text) => {
    const mapped = boxes.get(plainBox(text))
    if (mapped === undefined) return claim('box', text)
    return claim('box', text, {
      subject: mapped.check,
      claimed: 'ticked',
      measured: mapped.passed === null ? null : mapped.passed ? 'the check passes' : 'the check fails',
      equal: mapped.passed,
    })
  })
}

/** A box's text as the policy names it: without marks, in lower case. */
export function plainBox(text: string): string {
  return text.replace(/[*_`]/g, '').replace(/\s+/g, ' ').trim().toLowerCase()
}
