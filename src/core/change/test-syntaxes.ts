/** How sources of one kind declare tests. All expressions are matched against text without whole-line comments. */
export interface TestSyntax {
  readonly files: RegExp
  /** Set if the file also says how everything else is built. */
  readonly isBuildFile?: true
  /** Finds where a test begins; one of the groups `a` to `d` is its name, and `suite` its suite, if that is written with it. Global. */
  readonly start: RegExp
  /** How its end is found. */
  readonly end: 'brackets' | 'indentation'
  /** The bracket that a test begins with; if omitted, the first brace after its head. */
  readonly opening?: '('
  /** Matches if a test is skipped; applied to its own text, and to the attributes above it. */
  readonly skip: RegExp
  /** A statement that skips the test running it; matched against statements directly in the body, outside any condition. */
  readonly statement?: RegExp
  /** Finds set-up code that runs before each test: a skipping statement there skips all tests of the file. */
  readonly setUp?: RegExp
  /** Finds groups that are skipped with everything in them. Global. */
  readonly offGroup?: RegExp
  /** Finds code in brackets that a source contains only for its tests; its name is in the group `block`. Global. */
  readonly own?: RegExp
  /** Matches if every test of the file is skipped. */
  readonly offFile?: RegExp
  /** Finds names of tests that are switched off elsewhere in the file; group 1 holds them, separated by white space. Global. */
  readonly offNames?: RegExp
}

const NEVER = /(?!)/
const QUOTED = `${String.raw`(?:'(?<a>(?:[^'\\\n]|\\.){1,300})'|"(?<b>(?:[^"\\\n]|\\.){1,300})"|`}\`(?<c>[^\`]{1,300})\`)`
/** Attributes and modifiers between a marker and the method's name; braces only as arguments of an attribute. */
const UP_TO_METHOD = String.raw`(?:[^{;]|\(\s*\{[^}]{0,400}\}\s*\)){0,400}?`

export const TEST_SYNTAXES: readonly TestSyntax[] = [
  {
    files: /\.(?:[cm]?[jt]sx?|vue|svelte)$/i,
    start: new RegExp(
      String.raw`(?<![.\w$])(?:Deno\.)?(?:x|f)?(?:it|test|specify)(?:\.(?:skip|only|ignore|todo|fixme|fails?|failing|concurrent|sequential|serial|each|if|skipIf|runIf|todoIf)\b(?:\([^()\n]{0,200}\))?)*\s*\(\s*(?:\{\s*name\s*:\s*)?(?:${QUOTED}|(?:async\s+)?function\s+(?<d>\w+))`,
      'g',
    ),
    end: 'brackets',
    opening: '(',
    skip: /^x|^[\w.]{0,80}\.(?:skip|ignore|todo|fixme|failing|fails?|skipIf|runIf|todoIf)\b|^[^\n(]{0,80}\(\s*(?:'[^'\n]*'|"[^"\n]*"|`[^`]*`)\s*,\s*\{[^}\n]{0,100}\b(?:skip|todo|ignore)\s*:\s*(?!false|undefined|null)|^Deno\.test\(\s*\{(?:(?!\bfn\b)[\s\S]){0,300}\bignore\s*:\s*true/,
    statement: /^(?:t|ctx|context|this)\.(?:skip|todo)\s*\(/,
    offGroup:
      /(?<![.\w$])(?:(?:describe|suite|context)\.(?:skip|ignore|todo)\b|x(?:describe|context)\b)[^\n(]{0,80}(?=\()/g,
    own: /\bif\s*\([^(){}\n]{0,80}(?<block>\bimport\.meta\.vitest)\b[^{}\n]{0,80}(?=\{)/g,
  },
  {
    files: /\.pyi?$/i,
    start: /^(?<indent>[ \t]*)(?:async[ \t]+)?def[ \t]+(?<a>test\w*)[ \t]*\(/gm,
    end: 'indentation',
    skip: /@(?:pytest\.mark\.(?:skip|skipif|xfail)|unittest\.(?:skip\w*|expectedFailure))\b/,
    statement: /^(?:pytest\.(?:skip|xfail)\s*\(|self\.skipTest\s*\(|raise\s+(?:unittest\.)?SkipTest\b)/,
    setUp: /^(?<indent>[ \t]*)def[ \t]+setUp(?:Class)?[ \t]*\(/gm,
    offGroup:
      /^(?<indent>[ \t]*)@(?:pytest\.mark\.skip|unittest\.skip)\b(?!if|If|Unless)[^\n]*\n(?:[ \t]*@[^\n]*\n){0,9}[ \t]*class\b/gm,
    offFile:
      /^pytestmark\s*=[^\n]*\bmark\.(?:skip|xfail)\b(?!if)|^pytest\.skip\([^\n]*allow_module_level|^__test__\s*=\s*False\b|^raise\s+(?:unittest\.)?SkipTest\b/m,
  },
  {
    files: /_test\.go$/i,
    start: /^func[ \t]+(?:\([^)\n]*\)[ \t]*)?(?<a>(?:Test(?!Main\b)|Fuzz|Example)\w*)[ \t]*\(/gm,
    end: 'brackets',
    skip: NEVER,
    statement: /^[tbf]\.(?:Skip|Skipf|SkipNow)\s*\(/,
  },
  {
    files: /\.rs$/i,
    start:
      /#\[(?:\w+::)*(?:test|rstest|test_case)\b[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub\s+)?(?:async\s+)?fn\s+(?<a>\w+)\s*(?=[(<])/g,
    end: 'brackets',
    skip: /#\[(?:ignore\b|cfg\((?:any\(\)|not\(test\)|FALSE)\))/,
    offGroup: /#\[cfg\((?:any\(\)|not\(test\))\)\]\s*(?:#\[[^\]]*\]\s*)*(?:pub\s+)?mod\s+\w+\s*(?=\{)/g,
    own: /#\[(?:cfg\((?:test|all\([^\]\n]{0,200}\btest\b[^\]\n]{0,200}\))\)|(?:\w+::)*(?:test|rstest|test_case)\b[^\]\n]{0,200})\]\s*(?:#\[[^\]]{0,400}\]\s*){0,9}(?:pub(?:\([^)\n]*\))?\s+)?(?:(?:async|unsafe)\s+)?(?<block>(?:mod|fn)\s+\w+)[^;{]{0,400}(?=\{)/g,
    offFile: /^#!\[cfg\((?:any\(\)|not\(test\))\)\]/m,
  },
  {
    files: /\.(?:java|kt|kts|groovy|scala)$/i,
    start: new RegExp(
      String.raw`@(?:Parameterized|Repeated)?Test\b${UP_TO_METHOD}(?:void|fun)\s+(?:\`(?<c>[^\`\n]+)\`|(?<a>\w+))\s*\(`,
      'g',
    ),
    end: 'brackets',
    skip: /@(?:Disabled|Ignore)\b|@Test\s*\([^)]{0,200}\benabled\s*=\s*false/,
    statement: /^(?:Assum(?:ptions|e)\.)?(?:assumeTrue\(\s*false|assumeFalse\(\s*true|abort\()/,
    offGroup: /@(?:Disabled|Ignore)\b[^{;]{0,400}?\b(?:class|object)\s+\w+[^{;]{0,300}(?=\{)/g,
  },
  {
    files: /\.cs$/i,
    start: new RegExp(
      String.raw`\[(?:\w+\.)*(?:\w*Fact|\w*Theory|Test|TestCase\w*|TestMethod|DataTestMethod)\b${UP_TO_METHOD}\b(?:void|(?:Value)?Task(?:<[^>\n]{0,100}>)?)\s+(?<a>\w+)\s*(?:<[^>\n]{0,100}>)?\s*\(`,
      'g',
    ),
    end: 'brackets',
    skip: /\[[^\]\n]{0,200}(?:\bSkip\s*=\s*(?!null\b)|(?<=[[\s,])(?:Ignore|Explicit)\b)/,
    statement: /^Assert\.(?:Ignore|Inconclusive|Skip)\s*\(/,
    offGroup: /\[(?:Ignore|Explicit)\b[^{;]{0,400}?\bclass\s+\w+[^{;]{0,300}(?=\{)/g,
  },
  {
    files: /\.rb$/i,
    start: new RegExp(
      String.raw`^(?<indent>[ \t]*)(?:(?:[xf]?(?:it|specify|example)|test|scenario|skip|pending)[ \t(]+${QUOTED}(?=[^\n]*(?:\bdo\b|\{))|def[ \t]+(?<d>test_\w+))`,
      'gm',
    ),
    end: 'indentation',
    skip: /^[ \t]*(?:x(?:it|specify|example)\b|(?:skip|pending)[ \t(]+['"][^\n]*(?:\bdo\b|\{))|^[^\n]*,\s*(?::(?:skip|pending)\b(?!\s*=>\s*(?:false|nil))|(?:skip|pending):\s*(?!false|nil))/,
    statement: /^(?:skip|pending|omit)\b(?!.*\b(?:if|unless)\b)/,
    setUp: /^(?<indent>[ \t]*)(?:def[ \t]+setup\b|setup\s+do\b|before\b[^\n]*\bdo\b)/gm,
    offGroup:
      /^(?<indent>[ \t]*)(?:(?:RSpec\.)?x(?:describe|context)\b|(?:RSpec\.)?(?:describe|context|feature)\b[^\n]*,\s*(?::skip\b(?!\s*=>\s*(?:false|nil))|skip:\s*(?!false|nil)))/gm,
  },
  {
    files: /\.php$/i,
    start:
      /(?:#\[(?:\w+\\)*Test\b[^\]\n]*\]\s*(?:#\[[^\n]*\]\s*)*(?:(?:final|public|protected|static)\s+)*function\s+(?<d>\w+)|\bfunction[ \t]+(?<a>test\w*))[ \t]*\(/g,
    end: 'brackets',
    skip: NEVER,
    statement: /^(?:\$this->|self::|static::)markTest(?:Skipped|Incomplete)\s*\(/,
    setUp: /\bfunction\s+setUp(?:BeforeClass)?\s*\(/g,
  },
  {
    // Pest.
    files: /\.php$/i,
    start: new RegExp(String.raw`^[ \t]*(?:it|test)\(\s*${QUOTED}`, 'gm'),
    end: 'brackets',
    opening: '(',
    skip: /\)\s*->\s*(?:skip|todo)\s*\((?![^)\n]*(?:\bfn\b|function|=>|PHP_|\$))/,
  },
  {
    files: /_test\.exs$/i,
    start: new RegExp(String.raw`^(?<indent>[ \t]*)(?:test|property|feature)[ \t(]+${QUOTED}`, 'gm'),
    end: 'indentation',
    skip: /^[ \t]*@tag[ \t(]+(?::skip\b|(?:\[\s*)?skip:\s*(?!false|nil))/m,
    offGroup:
      /^(?<indent>[ \t]*)describe\b[^\n]*\bdo[ \t]*\n(?:[ \t]*@\w+[^\n]*\n|[ \t]*\n){0,9}?[ \t]*@describetag[ \t(]+(?::skip\b|(?:\[\s*)?skip:\s*(?!false|nil))/gm,
    offFile: /^[ \t]*@moduletag[ \t(]+(?::skip\b|(?:\[\s*)?skip:\s*(?!false|nil))/m,
  },
  {
    // GoogleTest and Boost.Test.
    files: /\.(?:c|cc|cpp|cxx)$/i,
    start:
      /^[ \t]*(?:(?:TYPED_)?TEST(?:_F|_P)?\s*\(\s*(?<suite>\w+)\s*,\s*(?<a>\w+)|BOOST_(?:AUTO|FIXTURE)_TEST_CASE\s*\(\s*(?<d>\w+))/gm,
    end: 'brackets',
    skip: /^[^\n{]*\bDISABLED_|^[^{]{0,200}\bdisabled\s*\(\)/,
    statement: /^GTEST_SKIP\b/,
  },
  {
    // Catch2 and doctest.
    files: /\.(?:c|cc|cpp|cxx)$/i,
    start: new RegExp(
      String.raw`^[ \t]*(?:TEST_CASE|SCENARIO)(?:_METHOD\s*\(\s*\w+\s*,|\s*\()\s*${QUOTED}`,
      'gm',
    ),
    end: 'brackets',
    skip: /^[^{]{0,300}(?:\[(?:\.|!mayfail|!shouldfail)|\bdoctest::(?:skip|may_fail|should_fail)\b)/,
    statement: /^SKIP\s*\(/,
  },
  {
    files: /(?:^|\/)CMakeLists\.txt$|\.cmake$/i,
    isBuildFile: true,
    start: /\badd_test\s*\(\s*(?:NAME\s+)?(?<a>[^\s()"$]+)/gi,
    end: 'brackets',
    opening: '(',
    skip: NEVER,
    offNames:
      /\bset_tests_properties\s*\(\s*([^()]{1,2000}?)\s+PROPERTIES\b[^()]{0,2000}?\b(?:DISABLED|WILL_FAIL)\s+(?:TRUE|ON|1|YES)\b/gi,
  },
  {
    // Perl: single assertions are counted, not named, because editing one also edits its text.
    files: /\.t$/,
    start: new RegExp(String.raw`\bsubtest[ \t(]+${QUOTED}`, 'g'),
    end: 'brackets',
    skip: NEVER,
    statement: /^plan[ \t(]+['"]?skip_all\b(?!.*\b(?:if|unless)\b)/,
    offFile:
      /^(?:plan[ \t(]+['"]?skip_all\b(?![^;]*\b(?:if|unless)\b)|use[ \t]+Test::(?:More|Most|Simple)[ \t(]+['"]?skip_all\b)/m,
  },
  {
    files: /\.(?:bats|sh|bash)$/i,
    start: new RegExp(String.raw`^@test[ \t]+${QUOTED}`, 'gm'),
    end: 'brackets',
    skip: NEVER,
    statement: /^skip(?:\s|;|$)/,
    setUp: /^(?:function[ \t]+)?setup(?:_file)?[ \t]*\(\)/gm,
  },
]
