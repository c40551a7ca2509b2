import type { ProseUnit } from '../claims/prose.ts'
import { findTestRuns } from '../claims/prose-tests.ts'
import { findSpokenValues } from '../claims/prose-values.ts'
import type { ReportEntry } from '../claims/report.ts'
import { type JsonValue, NO_CLAIM } from '../claims/types.ts'
import { compareValues, readingFor, showValue, valueAt } from '../verification/values.ts'
import type { Description } from './description.ts'
import { isDocumentation, isOnlyDocumentation } from './documentation.ts'
import { fileClaim, headOf, ofFiles } from './file-claims.ts'
import { claim } from './make-claim.ts'
import type { MeasuredChange } from './measured-change.ts'
import type { NamedFile } from './named-file.ts'
import { ofNamedChecks, ofTestRuns, testsPass } from './run-claims.ts'
import { clausesOf, THIS_SUBJECT } from './said-clauses.ts'
import { isUnread } from './test-changes.ts'
import { NOT_CLAIMED, ofTestsAdded, ofUnchangedTests } from './test-claims.ts'
import type { ChangeClaim, ClaimKind } from './types.ts'

/** A description with more claims than this is a log, not a description. */
const MAX_CLAIMS = 200

/** Compares every claim of a description with what was measured. Prefers precision: a claim that can't be decided stays unread. */
export function holdClaims(description: Description, measured: MeasuredChange): readonly ChangeClaim[] {
  const all = [
    ...description.entries.flatMap((entry) => ofReport(entry, measured)),
    // Prose is ignored if the description also has a report that people see.
    ...description.units.flatMap((unit, at, units) => ofUnit(unit, at, units, measured)),
    ...ofTestRuns(description, measured),
    ...ofNamedChecks(description, measured),
    ...ofValues(description, measured),
    ...ofRegression(description, measured),
    ...ofBoxes(description, measured),
  ]
  const distinct = new Map(all.map((claim) => [`${claim.kind}\0${claim.subject}\0${claim.claimed}`, claim]))
  return withinLimit([...distinct.values()])
}

/** Omits unread claims first and contradicted ones last, so that no false claim hides behind many others. Keeps the order. */
function withinLimit(claims: readonly ChangeClaim[]): readonly ChangeClaim[] {
  const byWeight = [false, true, null].flatMap((equal) => claims.filter((each) => each.equal === equal))
  const kept = new Set(byWeight.slice(0, MAX_CLAIMS))
  return claims.filter((each) => kept.has(each))
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

function ofUnit(
  unit: ProseUnit,
  at: number,
  units: readonly ProseUnit[],
  measured: MeasuredChange,
): readonly ChangeClaim[] {
  const { text } = unit
  // A list item that names another change: "Added tests (#11)".
  if (unit.kind === 'item' && /\(#\d+\)\W*$/.test(text)) return []
  return [
    ...ofFiles(unit, headOf(at, units), measured),
    ...ofTestsAdded(text, measured, { isTitle: at === 0 }),
    ...ofUnchangedTests(text, measured),
    ...ofDocsOnly(text, measured),
    ...ofUnread(text),
  ]
}

const DOCUMENTS = '(?:docs?|documentation|comments?|readme)'
const CHANGES = '(?:changes?|updates?|pr|pull request|mr|commit|patch|edits?|fix|cleanup)'
const DOCS_ONLY: readonly RegExp[] = [
  `(?:(?:is|are|was|were|has|contains|makes)\\s+)?(?:(?:a|an|purely|strictly|entirely|simple|small|minor|just)\\s+)*${DOCUMENTS}[-\\s]only(?:\\s+${CHANGES})?`,
  `(?:is |was |are )?(?:purely|entirely|strictly) (?:docs|documentation)(?:\\s+${CHANGES})?`,
  `only\\s+(?:the\\s+)?${DOCUMENTS}(?:\\s+files?)?\\s+(?:(?:was|were|is|are|has been|have been)\\s+)?(?:changed|changes|touched|updated|modified|edited|affected)`,
  `(?:(?:has|contains|makes|with|and|so|there (?:are|were))\\s+)*no\\s+(?:actual\\s+)?(?:source\\s+|production\\s+)?code\\s+(?:changes?|(?:was |is |were )?(?:changed|touched|modified))(?:\\s+(?:here|(?:were |are )?(?:made|included)|in this (?:pr|change|commit|patch)))?`,
].map((form) => new RegExp(`^\\W*(?:${THIS_SUBJECT}(?:['’]s)?\\s+)?${form}\\W*$`, 'i'))
/** Requires a subject: without one, the sentence is about the program, as in "build: only update docs". */
const ONLY_CHANGES_DOCS = new RegExp(
  `^\\W*${THIS_SUBJECT}\\s+(?:only|just)\\s+(?:touch|chang|updat|affect|modif|edit)\\w*\\s+(?:the\\s+)?${DOCUMENTS}(?:\\s+(?:files?|pages?|and (?:comments|readme)))?\\W*$`,
  'i',
)
const NO_OTHER_BEHAVIOR = /\bno (?:functional|behaviou?r(?:al)?|logic) changes?\b/i

function ofDocsOnly(text: string, measured: MeasuredChange): readonly ChangeClaim[] {
  const behavior = NO_OTHER_BEHAVIOR.exec(text)
  // What "functional" means can't be measured.
  const unread = behavior === null ? [] : [claim('docs-only', behavior[0])]
  const clause = clausesOf(text).find((each) =>
    [...DOCS_ONLY, ONLY_CHANGES_DOCS].some((pattern) => pattern.test(each)),
  )
  if (clause === undefined) return unread
  const rest = text.replace(/[*_`]/g, '').replace(clause, '')
  if (/\b(?:not|if|unless|should|apart|except|besides|other than|for now)\b|n['’]t\b/i.test(rest))
    return unread
  const other = measured.changes.find((change) => !isOnlyDocumentation(change))
  const isUnknown = measured.changes.some((change) => isUnread(change) && !isDocumentation(change.path))
  if (other === undefined && isUnknown) return [claim('docs-only', clause)]
  return [
    claim('docs-only', clause, {
      claimed: 'documentation only',
      measured: other === undefined ? 'documentation only' : `${other.path} changed`,
      equal: other === undefined,
    }),
  ]
}

const UNREAD: readonly (readonly [ClaimKind, RegExp])[] = [
  [
    'quality',
    /\b(?:no breaking changes?|backwards?[- ]compatib\w+|(?:improves?|better|faster) performance|performance (?:gain|improvement)s?|\d+(?:\.\d+)?\s?[x×%] faster|production[- ]ready|fully tested|clean code)\b/gi,
  ],
  ['coverage', /\b(?:coverage[^.\n]{0,40}\d{1,3}(?:\.\d+)?\s?%|\d{1,3}(?:\.\d+)?\s?% (?:test )?coverage)/gi],
]

function ofUnread(text: string): readonly ChangeClaim[] {
  return UNREAD.flatMap(([kind, pattern]) => [...text.matchAll(pattern)].map(([words]) => claim(kind, words)))
}

function ofValues({ units }: Description, measured: MeasuredChange): readonly ChangeClaim[] {
  if (measured.probeNames.length === 0) return []
  const values = findSpokenValues(
    units.map(({ text }) => text),
    measured.probeNames,
  )
  return Object.entries(values).map(([name, value]) => valueClaim(name, value, measured))
}

const ISSUE =
  /\b(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?)\s*:?\s+(?:(?:\w[\w.-]*\/[\w.-]+)?#|https?:\/\/\S{1,200}\/issues\/)(\d{1,7})\b/gi
const REGRESSION =
  /\b(?:add(?:ed|s|ing)?|includ\w+|with|wrote|writes|created?|introduc\w+|new|provides?|has|have|covered by)\b.*\bregression[- ]tests?\b|^\W*(?:a |the )?regression[- ]tests?\b/i

/** "Fixes #12" alone can't be measured; if a regression test comes with it, that test has to fail on the base. */
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

/** Returns a box's text in the form the policy uses: without marks, in lower case. */
export function plainBox(text: string): string {
  return text.replace(/[*_`]/g, '').replace(/\s+/g, ' ').trim().toLowerCase()
}
