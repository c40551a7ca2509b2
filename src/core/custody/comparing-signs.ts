/*
 * Signs, by language, of sources that cheat their tests: they define the functions that tests compare with, are equal to
 * everything, ask who calls them, or read what tests expect.
 */

import type { Sign } from './sign.ts'

const ASSERTIONS = 'the assertions of its tests'
const EQUALITY = 'an equality that always holds'
const TESTED = 'whether it is being tested'
const DATA = 'the data of its tests'

const ofProduct = (words: string, pattern: RegExp): Sign => ({ words, pattern, of: 'product' })
const ofLibrary = (words: string, pattern: RegExp): Sign => ({ words, pattern, of: 'libraries' })
const sign = (words: string, pattern: RegExp): Sign => ({ words, pattern })

/**
 * Folders of tests in a path that a source names. A folder called just `fixtures` may seed a program's database, and `spec` may describe
 * it.
 */
const FOLDER =
  '(?:tests?|__tests__|specs?/(?:fixtures|data|support)|testdata|test-data|__snapshots__|goldens?)'
/** Tools that write or run tests also name their code and settings; only tests read their data. */
const ENDING = '\\.(?:json5?|ya?ml|csv|tsv|txt|xml|html|golden|snap|expected|approved|out|dat)'
const PATH_OF_DATA = `["'\`]/?(?:[\\w.@-]{1,40}/){0,8}${FOLDER}/[\\w./-]{0,200}${ENDING}["'\`]`
const JOINED_PATH = `["'\`]${FOLDER}["'\`][^\\n]{0,120}?["'\`][\\w./-]{1,80}${ENDING}["'\`]`
const READS_DATA = ofLibrary(DATA, new RegExp(`${PATH_OF_DATA}|${JOINED_PATH}`))

/**
 * Functions by which tests compare. A test that imports everything from a source gets the source's version instead of the built-in one.
 */
const BUILT_IN_OF_PYTHON =
  '(?:abs|all|any|bool|dict|float|int|isinstance|issubclass|len|list|max|min|repr|round|set|sorted|str|sum|tuple|type)'
/** Matches the rest of the line if it contains neither the name that the first group captured nor a call. */
const WITHOUT_IT = String.raw`(?:(?!\b\1\b)[^()\\\n#]|\([^()A-Za-z\n]{0,80}\)){1,120}(?:#[^\n]{0,200})?$`
const OWN_BUILT_IN_OF_PYTHON = [
  String.raw`(?<!@[^\n]{0,200}\n)^def[ \t]{1,9}${BUILT_IN_OF_PYTHON}[ \t]{0,9}\(\s{0,9}\*{0,2}(\w{1,40})\b[^)]{0,200}\)[^:\n]{0,80}:\s{0,200}(?:(?:#[^\n]{0,200}|"""[^"]{0,400}""")\s{1,200}){0,9}return\s{1,9}(?!None\b)`,
  String.raw`^${BUILT_IN_OF_PYTHON}[ \t]{0,9}=[ \t]{0,9}lambda[ \t]{0,9}\*{0,2}(\w{1,40})\b[^:\n]{0,80}:`,
].map((begin) => new RegExp(begin + WITHOUT_IT, 'm'))

const RUNNER_OF_PYTHON = '(?:py\\.?test|unittest|nose)'

export const PYTHON_COMPARING: readonly Sign[] = [
  sign(
    EQUALITY,
    /\bdef\s{1,9}__eq__\s{0,9}\([^)]{0,200}\)[^:\n]{0,80}:\s{0,200}(?:(?:#[^\n]{0,200}|"""[^"]{0,400}""")\s{1,200}){0,9}return\s{1,9}(?:True|1|not\s{1,9}(?:False|None|0|\(\)|\[\]))\b/,
  ),
  // Its only line ignores the value that it is compared with.
  sign(
    EQUALITY,
    /\bdef\s{1,9}__eq__\s{0,9}\(\s{0,9}\w{1,40}\s{0,9},\s{0,9}(\w{1,40})\b[^)]{0,200}\)[^:\n]{0,80}:\s{0,200}(?:(?:#[^\n]{0,200}|"""[^"]{0,400}""")\s{1,200}){0,9}return\s{1,9}(?!(?:NotImplemented|False|None|0)\b)(?:(?!\b\1\b)[^()[\]{}\\\n#]|\((?:(?!\b\1\b)[^()\n]|\((?:(?!\b\1\b)[^()\n]){0,80}\)){0,80}\)){1,120}(?:#[^\n]{0,200})?$/m,
  ),
  sign(
    EQUALITY,
    /\bdef\s{1,9}__ne__\s{0,9}\([^)]{0,200}\)[^:\n]{0,80}:\s{0,200}return\s{1,9}(?:False|0|not\s{1,9}(?:True|1))\b/,
  ),
  // Methods that `isinstance` and `assertRaises` call.
  sign(
    EQUALITY,
    /\bdef\s{1,9}__(?:instance|subclass)check__\s{0,9}\([^)]{0,200}\)[^:\n]{0,80}:\s{0,200}return\s{1,9}(?:True|1)\b/,
  ),
  // One that ignores its argument. Commands have such names too, below a decorator.
  ...OWN_BUILT_IN_OF_PYTHON.map((pattern) => ofProduct('what is built in', pattern)),
  // Runners look for these names in tests, which get them from a source by `import *`, and in every package.
  ofProduct(
    'what its test runner looks for',
    /^(?:async[ \t]{1,9})?def[ \t]{1,9}(?:load_tests|(?:setUp|tearDown)Module|pytest_generate_tests)\b|^def[ \t]{1,9}(?:setup|teardown)_module[ \t]{0,9}\([ \t]{0,9}(?:mod\w{0,9})?[ \t]{0,9}\)|^(?:pytestmark|pytest_plugins)\b[^\n]{0,80}=/m,
  ),
  sign(EQUALITY, /\b__eq__\s{0,9}=\s{0,9}lambda[^:\n]{0,80}:\s{0,9}(?:True|1|not\s{1,9}(?:False|None|0))\b/),
  sign(
    TESTED,
    new RegExp(
      `\\bsys\\.(?:orig_)?argv\\b[^\\n]{0,80}["'][^"'\\n]{0,20}${RUNNER_OF_PYTHON}|["'][^"'\\n]{0,20}${RUNNER_OF_PYTHON}[^"'\\n]{0,20}["']\\s{1,9}in\\s[^\\n]{0,60}\\bsys\\.(?:orig_)?argv\\b`,
    ),
  ),
  sign('the frames of its callers', /\btraceback\.(?:extract_stack|walk_stack)\b|\bsys\._current_frames\b/),
  READS_DATA,
]

const RUNNER_OF_JAVASCRIPT =
  '(?:vitest|jest|mocha|jasmine|node:test|--test\\b|[./](?:test|spec)\\b(?!\\s{0,9}\\())'

export const JAVASCRIPT_COMPARING: readonly Sign[] = [
  // A runner makes them global, so nothing has to be imported.
  {
    words: 'the globals of its tests',
    of: 'shipped',
    pattern:
      /(?<![\w$.])(?:expect\s{0,9}\.\s{0,9}(?:any|anything|extend|addEqualityTesters|(?:object|array|string)(?:Containing|Matching)|closeTo|setState)|(?:jest|vi)\s{0,9}\.\s{0,9}(?:fn|mock|doMock|setMock|spyOn|stubGlobal|hoisted|useFakeTimers|setSystemTime)|jasmine\s{0,9}\.\s{0,9}(?:any|anything|addCustomEqualityTester|addMatchers))\s{0,9}\(/,
  },
  sign(
    EQUALITY,
    /\bSymbol\s{0,9}\.\s{0,9}hasInstance\s{0,9}\][^\n{]{0,80}(?:\{\s{0,80}return\s{1,9}|=>\s{0,9})(?:true|!0|1)\b/,
  ),
  sign(
    TESTED,
    new RegExp(
      `\\bprocess\\s{0,9}\\.\\s{0,9}(?:execArgv|argv)\\b[^\\n]{0,80}["'\`/][^"'\`\\n]{0,20}${RUNNER_OF_JAVASCRIPT}`,
    ),
  ),
  sign(
    TESTED,
    new RegExp(
      `(?:\\bError\\s{0,9}\\([^)\\n]{0,40}\\)\\s{0,9}\\.\\s{0,9}stack|\\.\\s{0,9}stack)\\b[^\\n]{0,80}["'\`/][^"'\`\\n]{0,20}${RUNNER_OF_JAVASCRIPT}`,
    ),
  ),
  sign(
    TESTED,
    new RegExp(
      `/[^/"'\`\\n]{0,20}${RUNNER_OF_JAVASCRIPT}[^"'\`\\n]{0,20}/[a-z]{0,4}\\s{0,9}\\.\\s{0,9}(?:test|exec)\\s{0,9}\\([^\\n]{0,80}\\.\\s{0,9}stack\\b`,
    ),
  ),
  sign(TESTED, /\bnpm_lifecycle_event\b[^\n]{0,40}["'`/]test\b/),
  sign(
    TESTED,
    /\btypeof\s{1,9}(?:describe|jest|beforeEach|afterEach|beforeAll|afterAll)\b|\btypeof\s{1,9}expect\s{0,9}[!=]==?\s{0,9}["'](?:undefined|function)["']|["'](?:describe|expect|beforeEach|afterEach)["']\s{1,9}in\s{1,9}(?:globalThis|global|window|self)\b/,
  ),
  READS_DATA,
]

export const GO_COMPARING: readonly Sign[] = [
  // A name of the language then means something else in the whole package, including its tests.
  sign(
    'what is built in',
    /^(?:const|var)[ \t][^=\n(]{0,80}\b(?:true|false|nil)\b|^(?:func|type|var|const)[ \t]{1,9}(?:len|cap|append|panic|recover|string|int|bool|error)\b|^\t(?:true|false|nil)\b[^=\n]{0,40}=[^=]/m,
  ),
  sign(
    TESTED,
    /\bos\.(?:Args|Executable)\b[\s\S]{0,200}?"[^"\n]{0,20}\.test(?:\.exe)?"|\b(?:runtime\.(?:Callers?|Stack)|debug\.Stack)\b[\s\S]{0,600}?"[^"\n]{0,40}(?:_test\.go|testing\.)/,
  ),
  READS_DATA,
]

const CORE_CLASS =
  '(?:Integer|Float|Numeric|Comparable|String|Symbol|Array|Hash|Object|BasicObject|Kernel|NilClass|TrueClass|FalseClass|Range|Struct|Set)'
const COMPARES_RUBY =
  '(?:==|!=|===|eql\\?|equal\\?|<=>|(?:zero|nil|empty|include|any|all|none|between|positive|negative|is_a|match)\\?|raise\\b)'

export const RUBY_COMPARING: readonly Sign[] = [
  sign(
    EQUALITY,
    /\bdef\s{1,9}(?:==|eql\?|equal\?|===)\s{0,9}\(?\s{0,9}[\w*]{1,40}\s{0,9}\)?\s{0,9}(?:=\s{0,9}true\b|[;\n]\s{0,80}(?:return\s{1,9})?true\s{0,9}[;\n]\s{0,80}end\b)/,
  ),
  sign(
    'what is built in',
    new RegExp(
      `\\b(?:class|module|refine)[ \\t]{1,9}(?:::)?${CORE_CLASS}\\b(?![ \\t]{0,9}(?:<|::))(?:(?!\\n(?:end|class|module)\\b)[\\s\\S]){0,2000}?\\bdef[ \\t]{1,9}${COMPARES_RUBY}|\\b${CORE_CLASS}\\.define_method\\b[^\\n]{0,9}:${COMPARES_RUBY}|\\b${CORE_CLASS}\\.(?:send[ (]{1,9}:)?prepend\\b`,
    ),
  ),
  sign(
    TESTED,
    /(?:\$0|\$PROGRAM_NAME|\bcaller(?:_locations)?)\b[^\n]{0,80}["'/][^"'/\n]{0,20}(?:rspec|minitest|_test|_spec)/,
  ),
  READS_DATA,
]

export const PHP_COMPARING: readonly Sign[] = [
  // A function that a namespace lacks is taken from the built-in ones.
  ofProduct('the namespace of its tests', /^[ \t]{0,9}namespace[ \t]{1,9}(?:[\w\\]{0,80}\\)?Tests?\b/m),
  sign(
    TESTED,
    /\bdebug_backtrace\b[\s\S]{0,300}?(?:Test\.php|TestCase|phpunit)|\$_SERVER\s{0,9}\[\s{0,9}["']argv["']\s{0,9}\][^\n]{0,60}phpunit|\$argv\b[^\n]{0,60}phpunit/,
  ),
  READS_DATA,
]

export const JAVA_COMPARING: readonly Sign[] = [
  // A class of the package takes precedence over the language's own.
  ofProduct(
    'what is built in',
    /^(?:(?:public|final|abstract)[ \t]{1,9}){0,3}class[ \t]{1,9}(?:Math|StrictMath|String|Integer|Long|Double|Float|Boolean|System|AssertionError|Throwable|Exception|RuntimeException)\b/m,
  ),
  ofProduct(
    'the test runner $1',
    /^[ \t]{0,9}package[ \t]{1,9}(org\.junit|junit\.framework|org\.testng|org\.assertj|org\.hamcrest|kotlin\.test|org\.mockito)\b/m,
  ),
  // In Kotlin a function of the package takes precedence over one imported with a star.
  ofProduct(
    ASSERTIONS,
    /^(?:(?:public|internal|inline)[ \t]{1,9}){0,3}fun[ \t]{1,9}(?:<[^>\n]{1,80}>[ \t]{1,9})?assert(?:Equals|NotEquals|True|False|Null|NotNull|Same|NotSame|Contains|ContentEquals|Is|Fails\w{0,20})\b/m,
  ),
  sign(
    EQUALITY,
    /\bboolean\s{1,9}equals\s{0,9}\([^)\n]{0,80}\)\s{0,9}\{\s{0,80}return\s{1,9}true\b|\bfun\s{1,9}equals\s{0,9}\([^)\n]{0,80}\)(?:\s{0,9}:\s{0,9}Boolean)?\s{0,9}(?:=\s{0,9}true\b|\{\s{0,80}return\s{1,9}true\b)/,
  ),
  sign(
    TESTED,
    /\b(?:getStackTrace|StackWalker)\b[\s\S]{0,400}?(?:junit|testng|\bTest")|\bforName\s{0,9}\(\s{0,9}"(?:org\.junit|org\.testng|junit\.|kotlin\.test)|\bgetProperty\s{0,9}\(\s{0,9}"(?:surefire|sun\.java\.command|org\.gradle\.test)/,
  ),
  READS_DATA,
]

export const RUST_COMPARING: readonly Sign[] = [
  ofProduct(ASSERTIONS, /\w!\s{0,9}[({[]\s{0,9}(?:assert|assert_eq|assert_ne|panic)\s{0,9}[)}\]]/),
  // A function with this name in any crate takes precedence over the library's.
  sign(
    'what is built in',
    /#\[(?:unsafe\()?no_mangle\)?\][^{;]{0,200}\bfn\s{1,9}(?:_?exit|_Exit|abort|memcmp|strn?cmp)\b/,
  ),
  ofProduct(
    ASSERTIONS,
    /\bmacro_rules!\s{0,9}(?:assert|assert_eq|assert_ne|panic|matches|debug_assert\w{0,9}|unreachable)\b|\bas[ \t]{1,9}(?:assert|assert_eq|assert_ne|panic)[ \t]{0,9}[;,}](?<!\/\/[^\n]{0,200})/,
  ),
  sign(
    EQUALITY,
    /\bfn\s{1,9}eq\s{0,9}\(\s{0,9}&self\b[^)]{0,80}\)\s{0,9}->\s{0,9}bool\s{0,9}\{\s{0,80}(?:return\s{1,9})?true\b/,
  ),
  sign(
    TESTED,
    /\b(?:RUST_TEST_\w{1,40}|NEXTEST(?:_\w{1,40})?)\b|\bcurrent_exe\b[\s\S]{0,200}?"[^"\n]{0,9}deps\b/,
  ),
]

const OF_TEST_MORE = '(?:is|ok|isnt|like|unlike|is_deeply|cmp_ok|can_ok|isa_ok|pass|fail|plan|done_testing)'

export const PERL_COMPARING: readonly Sign[] = [
  ofProduct(
    ASSERTIONS,
    new RegExp(
      `\\*\\{?\\s{0,9}["']?(?:main)?::${OF_TEST_MORE}\\b|\\bsub[ \\t]{1,9}(?:main)?::${OF_TEST_MORE}\\b|\\*\\{\\s{0,9}["']main::`,
    ),
  ),
  // Whatever it returns, it does not look at the second of its arguments.
  sign(
    EQUALITY,
    /\boverload\b[^;]{0,400}?["']?(?:==|eq)["']?\s{0,9}=>\s{0,9}sub\s{0,9}\{(?!\s{0,9}(?:return\s{1,9})?(?:0|!1|die|croak|undef|'')\b)(?:(?!@_|\$_\[\s{0,9}[1-9$-]|\b(?:shift|pop)\b)[^{}]){0,200}\}/,
  ),
  sign(TESTED, /\$0\s{0,9}=~[^\n]{0,40}\bt\b|\bcaller\b[^\n]{0,80}=~[^\n]{0,20}\\?\.t\b/),
  READS_DATA,
]

export const CSHARP_COMPARING: readonly Sign[] = [
  // A namespace that encloses that of the tests takes precedence over those that they use.
  ofProduct(
    ASSERTIONS,
    /\bclass[ \t]{1,9}(?:Assert|CollectionAssert|StringAssert)\b|\bnamespace[ \t]{1,9}(?:Xunit|NUnit|FluentAssertions|Shouldly|Microsoft\.VisualStudio\.TestTools)\b/,
  ),
  sign(
    EQUALITY,
    /\bbool\s{1,9}(?:Equals|operator\s{0,9}==)\s{0,9}\([^)\n]{0,120}\)\s{0,9}(?:=>\s{0,9}true\s{0,9};|\{\s{0,80}return\s{1,9}true\b)/,
  ),
  sign(
    TESTED,
    /\b(?:GetAssemblies|StackTrace|ProcessName|GetEntryAssembly)\b[\s\S]{0,300}?"[^"\n]{0,40}(?:xunit|nunit|testhost|mstest|vstest|\.Tests)/i,
  ),
  READS_DATA,
]

export const C_COMPARING: readonly Sign[] = [
  ofProduct(
    ASSERTIONS,
    /^[ \t]{0,40}#[ \t]{0,40}define[ \t]{1,40}(?:NDEBUG|if|else|return|strn?cmp|memcmp|(?:TEST|ck|cr|munit|mu|CU|CPPUNIT|g)_(?:assert|ASSERT|CHECK)\w{0,40}|BOOST_(?:CHECK|TEST|REQUIRE)\w{0,40}|QVERIFY|QCOMPARE)\b|^[ \t]{0,40}#[ \t]{0,40}define[ \t]{1,40}(?:while|switch|do|goto|break|continue|main(?![ \t]{1,9}\w{0,40}_main\b))\b|^[ \t]{0,40}#[ \t]{0,40}define[ \t]{1,40}(?:l{0,2}abs|fabs[fl]?)\([ \t]{0,9}\w{0,40}[ \t]{0,9}\)[ \t]{0,9}\(?[ \t]{0,9}\d|^[ \t]{0,40}#[ \t]{0,40}define[ \t]{1,40}(?:FAIL|SUCCEED)\(/m,
  ),
  // A program's own function takes precedence over the library's.
  ofProduct(
    'what is built in',
    /^(?:(?:extern|inline|const|unsigned|signed|__\w{1,20})[ \t]{1,9}){0,4}(?:void|int|char|size_t)[ \t*]{1,9}(?:strn?(?:case)?cmp|memcmp|strstr|abort|_?exit|__assert_fail|__assert_rtn|__assert)[ \t]{0,9}\([^;{)]{0,400}\)\s{0,9}\{/m,
  ),
  // Allocators without a state are all equal.
  sign(
    EQUALITY,
    /\boperator\s{0,9}==\s{0,9}\((?![^)]{0,200}[Aa]lloc)[^)]{0,200}\)\s{0,9}(?:const\b\s{0,9})?(?:noexcept\b\s{0,9})?\{\s{0,80}return\s{1,9}true\b/,
  ),
]
