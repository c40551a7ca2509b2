import { configuredIn, type ToolKind } from './configured-tools.ts'

/** How much a file of tests or checks requires. A lower number makes it weaker; for `skips`, a higher one. */
export interface TestWeight {
  readonly tests: number
  readonly assertions: number
  /** Disabled tests, and checks told to pass whatever they find. */
  readonly skips: number
  /** Disabled tests that are not in `tests`. Omitted if none. */
  readonly disabled?: number
  /** For a CI file: what it runs with a visible failure. */
  readonly steps?: readonly string[]
  /** For a file with other contents too: kinds of tools that its sections configure. Omitted if none. */
  readonly configures?: readonly ToolKind[]
  /** True for a list of files that a tool ignores, without a line that includes any of them again. */
  readonly onlyLeavesOut?: true
}

export const NO_WEIGHT: TestWeight = { tests: 0, assertions: 0, skips: 0 }

interface Marks {
  readonly tests: RegExp
  readonly assertions: RegExp
  readonly skips: RegExp
  /** Declarations of disabled tests that `tests` doesn't match. Omitted: it matches all. */
  readonly disabled?: RegExp
}

/*
 * One expression per kind of mark and language family, applied to text without its comments. They count uses of a framework's own words,
 * not what a test means. That is enough to see that there are fewer of them, which is all that is needed.
 */
const NOTHING = /(?!)/g
const MARKS: readonly { readonly files: RegExp; readonly marks: Marks }[] = [
  {
    files: /\.(?:[cm]?[jt]sx?|vue|svelte)$/i,
    marks: {
      tests:
        /(?<![.\w$])(?:Deno\.)?(?:it|test|specify)(?:\.(?:each|concurrent|sequential|only|fails)\b[^(]{0,80})?\s*\(/g,
      assertions:
        /(?<![.\w$])(?:expect(?:TypeOf)?|should)\s*\(|\bassert(?:Type)?(?:\.\w+)*\s*\(|\bt\.(?:is|not\w*|(?:strict|deep|loose)?(?:[Ee]qual|[Ss]ame)|like|true|false|truthy|falsy|ok|throws\w*|doesNotThrow|rejects|resolves\w*|match|regex|type|has\w*|error|snapshot|emits)\s*\(|\.(?:should|expect)\b/g,
      skips:
        /(?<![\w$])(?:(?:it|test|describe|suite|specify|context)\.(?:skip|todo|only|failing|fixme|skipIf|runIf|todoIf)\b|[xf](?:it|test|describe|specify)\s*[.(]|t\.skip\s*\(|this\.skip\s*\(|Deno\.test(?:\.ignore\b|\(\s*\{[^}]{0,300}?\bignore\s*:\s*true\b))/g,
      disabled:
        /(?<![\w$])(?:(?:it|test|specify)\.(?:skip|todo|failing|fixme)\b|x(?:it|test|specify)\s*[.(])/g,
    },
  },
  {
    files: /\.pyi?$/i,
    marks: {
      tests: /^[ \t]*(?:async[ \t]+)?def[ \t]+test\w*[ \t]*\(/gm,
      assertions: /^[ \t]*assert\b|\bself\.assert\w+\s*\(|\bpytest\.(?:raises|approx|warns)\s*\(/gm,
      skips:
        /@(?:pytest\.mark\.(?:skip|skipif|xfail)|unittest\.(?:skip\w*|expectedFailure))\b|\b(?:pytest\.(?:skip|xfail)|self\.skipTest)\s*\(/g,
    },
  },
  {
    files: /\.go$/i,
    marks: {
      tests: /^func[ \t]+(?:\([^)]*\)[ \t]*)?(?:Test(?!Main\b)|Fuzz|Example)\w*[ \t]*\(/gm,
      assertions: /\b[tbf]\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\s*\(|\b(?:assert|require)\.\w+\s*\(/g,
      skips: /\b[tbf]\.(?:Skip|Skipf|SkipNow)\s*\(/g,
    },
  },
  {
    files: /\.rs$/i,
    marks: {
      tests: /#\[(?:\w+::)*(?:test|rstest|test_case)\b/g,
      assertions: /\b(?:debug_)?assert(?:_\w+)?!\s*[([{]/g,
      skips: /#\[ignore\b|#!?\[cfg\((?:any\(\)|not\(test\))\)/g,
    },
  },
  {
    files: /\.(?:java|kt|kts|groovy|scala|cs|fs|vb|swift|m|mm)$/i,
    marks: {
      tests:
        /@(?:Parameterized|Repeated)?Test\b|\[(?:\w*Fact|\w*Theory|Test|TestMethod|DataTestMethod|TestCase)\b|\bfunc[ \t]+test\w*\s*\(/g,
      assertions: /\b(?:Assert(?:ions)?\.\w+|assert\w*|XCTAssert\w*|#expect|verify)\s*\(|\.Should\(\)/g,
      skips:
        /@(?:Disabled|Ignore)\b|@Test\s*\([^)]{0,200}\benabled\s*=\s*false\b|\[(?:Ignore|Explicit|Skip)\b|\bSkip\s*=|\bAssert\.(?:Ignore|Inconclusive)\s*\(|\bXCTSkip\w*\b/g,
    },
  },
  {
    files: /\.(?:rb|ex|exs)$/i,
    marks: {
      tests: /^[ \t]*(?:f?(?:it|specify|example)|test|property|scenario|def[ \t]+test_\w+)\b/gm,
      assertions: /\b(?:expect|assert\w*|refute\w*)\b|\.(?:should|must_\w+)\b/g,
      skips:
        /^[ \t]*(?:[xf](?:it|describe|context|specify|example)\b|(?:skip|pending|omit)\b(?!\s*=))|^[ \t]*(?:RSpec\.)?(?:it|describe|context|specify|example)\b[^\n]*,\s*(?::(?:skip|pending|focus)\b|(?:skip|pending|focus):\s*(?!false|nil))|@(?:module|describe)?tag[ \t(]+(?::skip\b|skip:)/gm,
      disabled: /^[ \t]*(?:x(?:it|specify|example)\b|(?:skip|pending)[ \t(]+['"][^\n]*\bdo\b)/gm,
    },
  },
  {
    files: /\.(?:php)$/i,
    marks: {
      tests: /\bfunction[ \t]+test\w*\s*\(|#\[Test\b|^[ \t]*(?:it|test)\s*\(/gm,
      assertions: /(?:->|::)assert\w+\s*\(|\bexpect\s*\(/g,
      skips: /(?:->|::)markTest(?:Skipped|Incomplete)\s*\(|->(?:skip|todo|only)\s*\(/g,
    },
  },
  {
    files: /\.(?:c|cc|cpp|cxx|h|hpp|hh)$/i,
    marks: {
      tests:
        /\b(?:(?:TYPED_)?TEST(?:_F|_P|_CASE)?|TEST_CASE_METHOD|SCENARIO|BOOST_(?:AUTO|FIXTURE)_TEST_CASE)\s*\(/g,
      assertions:
        /\b(?:(?:EXPECT|ASSERT|CHECK|REQUIRE|BOOST_(?:CHECK|REQUIRE|TEST))\w*|assert|static_assert)\s*\(/g,
      skips: /\bGTEST_SKIP\b|\bDISABLED_\w+|\[!(?:mayfail|shouldfail)\]|\[\.\]/g,
    },
  },
  {
    files: /(?:^|\/)CMakeLists\.txt$|\.cmake$/i,
    marks: {
      tests: /\badd_test\s*\(|\b(?:gtest|catch|doctest)_discover_tests\s*\(/gi,
      assertions: NOTHING,
      skips: /\b(?:DISABLED|WILL_FAIL)\s+(?:TRUE|ON|1|YES)\b/gi,
    },
  },
  {
    // Perl: each assertion is a test that is reported.
    files: /\.t$/,
    marks: {
      tests:
        /^[ \t]*(?:subtest|ok|is|isnt|like|unlike|cmp_ok|is_deeply|isa_ok|can_ok|new_ok|use_ok|require_ok|(?:lives|dies|throws)_ok|eq_or_diff|cmp_deeply)\b/gm,
      assertions: NOTHING,
      skips: /\bskip_all\b|^[ \t]*skip[ \t(]|\bTODO\s*:\s*\{|\$TODO\s*=|\btodo_skip\b/gm,
    },
  },
  {
    files: /\.(?:ya?ml)$/i,
    marks: {
      // Each step of a pipeline counts as a test.
      tests: /^[ \t]*(?:-[ \t]*)?(?:run|script|uses):/gm,
      assertions: NOTHING,
      skips:
        /\bcontinue-on-error:[ \t]*(?:true|\$)|\ballow_failure:[ \t]*true|^[ \t]*(?:-[ \t]*)?if:[ \t]*['"]?(?:\$\{\{[ \t]*)?false\b|\|\|[ \t]*(?:true|:|exit[ \t]+0)\b|\bwhen:[ \t]*never\b/gm,
    },
  },
  {
    files: /(?:\.(?:sh|bash|zsh|bats)|(?:^|\/)Makefile)$/i,
    marks: {
      tests: /^[ \t]*@test\b|^(?:test|check)[\w-]*:/gm,
      assertions: /^[ \t]*(?:\[\[?|test)[ \t]|\bassert\w*\b/gm,
      skips: /\|\|[ \t]*(?:true|:)(?=\s|$)|^[ \t]*skip\b|^[ \t]*exit[ \t]+0\b/gm,
    },
  },
]

/**
 * Counts tests, assertions and skips in a file, by its extension; nothing for unknown types. Comments don't count, so a test that was
 * commented out is gone. Linear in the text; never throws.
 */
export function weighTests(path: string, text: string): TestWeight {
  const marks = MARKS.find(({ files }) => files.test(path))?.marks
  const configures = configuredIn(path, text)
  const configured = configures.length > 0 ? { configures } : {}
  if (marks === undefined)
    return { ...NO_WEIGHT, ...configured, ...(onlyLeavesOut(path, text) && { onlyLeavesOut: true }) }
  const code = withoutComments(path, text)
  const disabled = marks.disabled === undefined ? 0 : count(code, marks.disabled)
  return {
    ...configured,
    ...(disabled > 0 && { disabled }),
    tests: count(code, marks.tests),
    assertions: count(code, marks.assertions),
    skips: count(code, marks.skips),
  }
}

/** Returns whether a path is a list of files that a tool ignores, without a line that begins with `!`, which would include
 * files again. */
function onlyLeavesOut(path: string, text: string): boolean {
  return /(?:^|\/)\.[\w-]+ignore$/.test(path) && !/^[ \t]*!/m.test(text)
}

function count(text: string, marks: RegExp): number {
  return text.match(marks)?.length ?? 0
}

/** Languages with `#` comments; all others have `//` and blocks. */
const HASH_COMMENTS =
  /(?:\.(?:pyi?|rb|exs?|t|cmake|ya?ml|sh|bash|zsh|bats)|(?:^|\/)(?:Makefile|CMakeLists\.txt))$/i

/** Removes comments that fill whole lines, and blocks that start a line: what looks like a comment after code may be part of a string. */
function withoutComments(path: string, text: string): string {
  if (HASH_COMMENTS.test(path)) return text.replace(/^[ \t]*#.*$/gm, '')
  let isInBlock = false
  const kept: string[] = []
  for (const line of text.split('\n')) {
    const trimmed = line.trimStart()
    const begins = !isInBlock && trimmed.startsWith('/*')
    if (isInBlock || begins) {
      const end = trimmed.indexOf('*/', begins ? 2 : 0)
      isInBlock = end === -1
      kept.push(end === -1 ? '' : trimmed.slice(end + 2))
    } else kept.push(trimmed.startsWith('//') ? '' : line)
  }
  return kept.join('\n')
}
