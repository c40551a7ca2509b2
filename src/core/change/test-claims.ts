import { counted } from '../scoring/format.ts'
import { isCiFile } from '../verification/ci-steps.ts'
import { weighTests } from '../verification/test-weight.ts'
import { claim } from './make-claim.ts'
import type { MeasuredChange } from './measured-change.ts'
import { clausesOf, sentenceAround, THIS_SUBJECT } from './said-clauses.ts'
import type { TextChange } from './test-changes.ts'
import type { ChangeClaim } from './types.ts'
import { formerTests } from './unchanged-tests.ts'

const NUMBER = '(?<count>\\d{1,4}|one|two|three|four|five)'
const KINDS_OF_TESTS = `(?:(?:a|an|some|new|more|several|multiple|many|comprehensive|thorough|extensive|basic|unit|integration|e2e|end-to-end|functional|regression|corresponding|relevant|additional|further|the|${NUMBER})\\s+){0,6}`
const OF_WHAT =
  '(?:for|that|which|covering|verifying|checking|ensuring|exercising|asserting|showing|to\\s+(?:cover|verify|ensure|check|prove|show|confirm|test|catch|prevent|validate|guard|assert|demonstrate|exercise|reproduce|make sure|pin|lock))\\b'
const STOPS = '[.,;:!?)\\]]+(?:\\s|$)|$|\\s+(?:[–—(&+]|-\\s)'
/** Tests as the object of a sentence, not as a word before its object ("added tests directory to .npmignore"). */
const MANY_TESTS = `(?:tests|test\\s+(?:cases|suites)|(?:unit|integration|e2e|regression)\\s+specs)(?=${STOPS}|\\s+(?:and|with|around|of|as well|too|in\\s+\\S*(?:test|spec)|${OF_WHAT}))`
const ONE_TEST = `(?:tests?|test\\s+(?:cases?|suites?|coverage))(?=${STOPS}|\\s+${OF_WHAT})`
const TESTS_ADDED: readonly RegExp[] = [
  new RegExp(
    `\\b(?:add(?:ed|s)|wrote|created|introduc(?:ed|es)|extended)\\s+${KINDS_OF_TESTS}(?:${MANY_TESTS}|${ONE_TEST})`,
    'i',
  ),
  new RegExp(`\\bincludes?\\s+${KINDS_OF_TESTS}${ONE_TEST}`, 'i'),
  new RegExp(
    `(?:^|[.;:,(]\\s*)${KINDS_OF_TESTS}tests?(?:\\s+cases?|\\s+coverage)?\\s+(?:(?:have|has)\\s+been\\s+|(?:was|were|are|is)\\s+)?(?:also\\s+)?(?:added|included|written)(?=${STOPS}|\\s+${OF_WHAT})`,
    'i',
  ),
]
/** The form used in a title or the first line of a commit message. */
const ADDS_TESTS = new RegExp(
  `^(?:[a-z]+(?:\\([^)]{0,60}\\))?!?:\\s*)?(?:add|write|create|introduce)\\s+${KINDS_OF_TESTS}(?:${MANY_TESTS}|${ONE_TEST})`,
  'i',
)
/** Words in a sentence that make it a plan, a denial, or about something else. */
export const NOT_CLAIMED =
  /\b(?:not|no|never|without|cannot|can't|couldn't|won't|will|would|should|could|might|plan|todo|please|if|when|later|follow-?up|need(?:s|ed)?|want|missing|lacks?|already|previous(?:ly)?|earlier|separate|another|upstream|(?:see|in) (?:#|pr\b))|n['’]t\b|\?/i
const WORDS_OF_NUMBERS: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4, five: 5 }

/** Returns tests that a text says were added. With `isTitle`, an imperative counts too, as in titles. */
export function ofTestsAdded(
  text: string,
  measured: MeasuredChange,
  { isTitle }: { readonly isTitle: boolean },
): readonly ChangeClaim[] {
  const plain = text.replace(/[*_]/g, '')
  const match = [...(isTitle ? [ADDS_TESTS] : []), ...TESTS_ADDED]
    .map((pattern) => pattern.exec(plain))
    .find((found) => found !== null)
  if (match == null || NOT_CLAIMED.test(sentenceAround(plain, match.index))) return []
  const word = match.groups?.count?.toLowerCase()
  const count = word === undefined ? null : (WORDS_OF_NUMBERS[word] ?? Number(word))
  const added = Math.max(measured.tests.added.length, measured.suite?.added.length ?? 0)
  const files = measured.changes.filter(({ path, after }) => after !== null && measured.isTestFile(path))
  const claimed = count === null ? 'tests added' : `${counted(count, 'test')} added`
  if (files.length === 0 && added === 0)
    return [
      measured.changes.some(mayHoldTests)
        ? claim('tests-added', match[0], { claimed })
        : claim('tests-added', match[0], { claimed, measured: 'no test was added or changed', equal: false }),
    ]
  const isMore = added > 0 || files.some(gainsTests)
  // Parameters and loops make many tests of one, so fewer than claimed may be the same tests counted differently.
  const equal = isMore && (count === null || added >= count) ? true : null
  const words =
    added === 0 ? `${counted(files.length, 'test file')} changed` : `${counted(added, 'test')} added`
  return [claim('tests-added', match[0], { claimed, measured: words, equal })]
}

/** Returns whether a file may have tests that aren't known by name: doctests, the matrix of a workflow, a runner's own folder. */
function mayHoldTests({ path, before, after }: TextChange): boolean {
  if (isCiFile(path) || /test|spec(?:s|\b)|e2e|fixture|snap|nox|tox|bench|example/i.test(path)) return true
  return gainsTests({ path, before, after }) || /^[ \t]*>>> /m.test(after ?? '')
}

function gainsTests({ path, before, after }: TextChange): boolean {
  const [old, now] = [weighTests(path, before ?? ''), weighTests(path, after ?? '')]
  return now.tests + now.assertions > old.tests + old.assertions
}

const TESTS = '(?:existing\\s+|current\\s+)?(?:unit\\s+)?tests?(?:\\s+(?:files?|cases?|code))?'
const CHANGED = '(?:chang|modif|touch|edit|alter)(?:ed|es|e|y|ied|ing|ying)?'
const REMOVED = '(?:remov|delet|dropp?)(?:ed|es|e|ing)?'
const HERE = '(?=\\W*$|\\s+(?:at all|here|either|and|or|nor|in this (?:pr|change|commit|patch|branch))\\b)'
const OPENS = `^(?:(?:and|also|so|with|there (?:are|were))\\s+)*(?:${THIS_SUBJECT}\\s+)?(?:(?:has|have|contains|makes|made|and)\\s+)*`
function saysNone(verb: string): RegExp {
  const forms = [
    `no\\s+${TESTS}\\s+(?:(?:were|was|are|is|have been|has been)\\s+)?${verb}`,
    `(?:did not|didn['’]t|do not|does not|doesn['’]t|have not|haven['’]t|has not|hasn['’]t|never)\\s+${verb}\\s+(?:(?:the|any|any of the|our)\\s+)*${TESTS}`,
    `(?:(?:the|all|all the|all of the|our)\\s+)?${TESTS}\\s+(?:were not|weren['’]t|was not|are not|have not been|haven['’]t been)\\s+${verb}`,
  ]
  return new RegExp(`${OPENS}(?:${forms.join('|')})${HERE}`, 'i')
}
const NONE_REMOVED = saysNone(REMOVED)
const NONE_CHANGED: readonly RegExp[] = [
  saysNone(CHANGED),
  new RegExp(
    `${OPENS}(?:no\\s+(?:existing\\s+)?test changes|no changes? (?:were made )?(?:to|in) (?:(?:the|any|our)\\s+)*${TESTS}|(?:(?:the|all|all the|our)\\s+)*${TESTS}\\s+(?:(?:are|were|have been|has been|remain|remained|left|stay(?:ed)?|and)\\s+)*(?:unchanged|untouched|unmodified))${HERE}`,
    'i',
  ),
  new RegExp(
    `^(?:(?:this|it|i|we)\\b|\\w+ed\\b|rewrote\\b|done\\b|without\\b).*?\\bwithout ${CHANGED} (?:(?:the|any|any of the|our)\\s+)*${TESTS}\\W*$|^without ${CHANGED} (?:(?:the|any|any of the|our)\\s+)*${TESTS}\\W*$`,
    'i',
  ),
]
const RESTRICTED =
  /\b(?:if|should|ensure|make sure|unless|would|except|apart|aside|other than|only|needed|required|when|where|snapshots?|fixtures?|golden|previous\w*)\b|\?/i

/** Returns claims that no test was changed, or none removed. */
export function ofUnchangedTests(text: string, measured: MeasuredChange): readonly ChangeClaim[] {
  return clausesOf(text).flatMap((clause) => {
    const isRemoval = NONE_REMOVED.test(clause)
    if (!isRemoval && !NONE_CHANGED.some((pattern) => pattern.test(clause))) return []
    if (RESTRICTED.test(text.replace(/\b(?:if|when) (?:necessary|possible)\b/i, ''))) return []
    return [isRemoval ? noneRemoved(clause, measured) : noneChanged(clause, measured)]
  })
}

function noneRemoved(clause: string, { tests }: MeasuredChange): ChangeClaim {
  const [first] = tests.removed
  const measured =
    first === undefined
      ? 'no test removed'
      : `${tests.removed.length} tests removed, ${first.name} among them`
  // A test that was both renamed and changed still exists in another form.
  const isFewer = tests.removed.length > tests.added.length
  const equal = first === undefined ? true : isFewer ? false : null
  return claim('tests-unchanged', clause, { claimed: 'no test removed', measured, equal })
}

function noneChanged(clause: string, measured: MeasuredChange): ChangeClaim {
  const { altered, around, unread } = formerTests(measured)
  const said = claim('tests-unchanged', clause, { claimed: 'no test changed' })
  if (altered.length > 0)
    return {
      ...said,
      measured: `${counted(altered.length, 'test file')} changed, ${altered[0]} among them`,
      equal: false,
    }
  if (unread.length > 0) return said
  if (around.length === 0) return { ...said, measured: 'no test file changed', equal: true }
  return {
    ...said,
    measured: 'tests were only added',
    equal: /\b(?:existing|current)\b/i.test(clause) ? true : null,
  }
}
