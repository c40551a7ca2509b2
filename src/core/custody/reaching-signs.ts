/*
 * Signs, by language, of sources that reach for what runs their tests.
 */

import {
  C_COMPARING,
  CSHARP_COMPARING,
  GO_COMPARING,
  JAVA_COMPARING,
  JAVASCRIPT_COMPARING,
  PERL_COMPARING,
  PHP_COMPARING,
  PYTHON_COMPARING,
  RUBY_COMPARING,
  RUST_COMPARING,
} from './comparing-signs.ts'
import {
  codeOfJavaScript,
  codeOfPython,
  codeOfRuby,
  foldedC,
  foldedCSharp,
  foldedElixir,
  foldedGo,
  foldedJavaScript,
  foldedPerl,
  foldedPhp,
  foldedPython,
  foldedRust,
  foldedShell,
  withoutComments,
  withWholeWords,
} from './folded-text.ts'
import { endsBeforeMain, findByNames, replacesByAlias } from './reaching-names.ts'
import type { Sign } from './sign.ts'

const sign = (words: string, pattern: RegExp): Sign => ({ words, pattern })

/** Libraries of such a language are often split into packages, some of which are made for tests. */
const ofProduct = (words: string, pattern: RegExp): Sign => ({ ...sign(words, pattern), of: 'product' })

/** A check by exit code alone passes if the source under test ends it first, whatever comes after. */
export const SUCCESS = 'the end of its process, as a success'
const ends = (pattern: RegExp): Sign => sign(SUCCESS, pattern)
const endsModule = (pattern: RegExp): Sign => ({ ...ends(pattern), of: 'modules' })
const endsLibrary = (pattern: RegExp): Sign => ({ ...ends(pattern), of: 'libraries' })
const endsInCode = (pattern: RegExp): Sign => ({ ...endsLibrary(pattern), isInCode: true })

/** An exit status that means failure. Systems keep eight bits of it, so 256 is a success. */
const FAILURE = '\\s{0,9}-?(?:[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])\\b(?!\\s{0,9}[-+*/%&|^.])'
/** Of 28,000 library sources, fewer than one in a thousand end their process, and one in ten thousand accesses it by a
 * computed name. */
const COMPUTED = 'its process by a name that is computed'
const HIDDEN = 'code in a text that is put together'

const NO_FAILURE_OF_PYTHON = `(?!\\((?:${FAILURE}|\\s{0,9}[rbfu]{0,2}['"]))`

const PYTHON: readonly Sign[] = [
  ...PYTHON_COMPARING,
  sign(
    'the test runner $1',
    /^[ \t]*(?:import|from)[ \t]+(unittest|pytest|_pytest|pluggy|nose2?|hypothesis|testtools|twisted\.trial)\b/m,
  ),
  sign(
    'the test runner $1',
    /(?:__import__|import_module)\(\s*['"](unittest|pytest|_pytest|pluggy|nose2?)\b/,
  ),
  // A module that looks itself up reaches no other.
  sign('modules that are loaded already', /\bsys\s*\.\s*modules\b(?!\s{0,9}\[\s{0,9}__name__\s{0,9}\])/),
  // Any source may name a type by `builtins.type`; replacing a built-in is suspicious.
  sign(
    'the names that are built in',
    /\b__builtins__|\bimport[ \t]+builtins[ \t]+as\b|\b(?:__import__|import_module)\(\s*['"]builtins|\b(?:setattr|delattr|vars)\(\s*builtins\b|\bbuiltins\.__dict__|(?:^|;)[ \t]*(?:del[ \t]+)?builtins\.\w+\s*(?:$|(?:,[^\n=]*)?(?::[^\n=]*)?[-+*/|&]?=[^=])/m,
  ),
  sign(
    'the names that are built in',
    /(?<![\w.])(?:abs|all|any|getattr|id|isinstance|len|max|min|open|print|repr|round|sorted|sum)\.__self__\b/,
  ),
  sign(
    'modules that are loaded already',
    /\b__main__\.\w{1,40}[ \t]{0,9}=[^=]|\b(?:setattr|vars)\s{0,9}\(\s{0,9}__main__\b|\b__main__\.__dict__\b/,
  ),
  // Clocks, comparisons, and functions that read or run things: tests rely on them too. `sys.path` and `ssl` are often set by
  // honest sources.
  sign(
    'what is built in',
    /^[ \t]{0,80}(?:time|datetime|calendar|math|operator|json|re|random|decimal|fractions|statistics|functools|itertools|collections|copy|hashlib|subprocess|os\.path|posixpath|io|pickle|difflib|filecmp|pathlib)(?:\.[A-Za-z_]\w{0,40}){1,3}[ \t]{0,9}=[^=]/m,
  ),
  sign(
    'what is built in',
    /\b(?:setattr|delattr)\s{0,9}\(\s{0,9}(?:time|datetime|math|operator|json|re|random|decimal|copy|subprocess|pathlib)(?:\.\w{1,40}){0,2}\s{0,9},/,
  ),
  sign(
    'the frames of its callers',
    /\b_getframe\b|\bf_back\b|\binspect\.(?:stack|currentframe)\b|\bsys\.(?:settrace|setprofile)\b/,
  ),
  sign('objects of others in memory', /\bgc\.(?:get_objects|get_referrers)\b|\bobject\.__subclasses__/),
  sign('what is built in', /\b(?:time|datetime|math|operator|json|re|random|copy|subprocess)\.__dict__\b/),
  // Files that install a package read its version this way.
  {
    ...sign(
      'code in a text',
      /(?<![.\w])(?:eval|exec)\s{0,9}\(\s{0,9}(?:compile\s{0,9}\(\s{0,9})?open\s{0,9}\(/,
    ),
    of: 'libraries',
  },
  sign('the end of the process', /\b(?:os|posix)\._exit\b|^os\.exec[lv]|\bsys\.exit[ \t]*=[^=]/m),
  sign(
    COMPUTED,
    /\b(?:os|posix|sys)\s{0,9}\.\s{0,9}__dict__\b|\b(?:getattr|vars|attrgetter)\s{0,9}\(\s{0,9}(?:os|posix|sys)\s{0,9}[,)]/,
  ),
  sign(
    HIDDEN,
    /(?<![.\w])(?:eval|exec)\s{0,9}\([^\n]{0,200}?(?:\b(?:chr|b64decode|fromhex|_exit|__import__|exit|SystemExit)\b|\[::-1\])/,
  ),
  ends(/^[ \t]{0,80}from[ \t]{1,9}(?:os|posix)[ \t]{1,9}import[ \t]{1,9}\*[\s\S]*?(?<![.\w])_exit\s{0,9}\(/m),
  ends(/\bctypes\b[\s\S]{0,300}?\b_?exit\b/),
  endsInCode(
    new RegExp(
      `(?!^(?:sys\\.exit|raise)\\b)(?<![\\w.])(?:sys\\.exit\\b(?!\\s{0,9}=)|raise SystemExit\\b)${NO_FAILURE_OF_PYTHON}`,
      'm',
    ),
  ),
  endsInCode(/(?<![\w.])(?:exit|quit)\(\s{0,9}(?:0|None|False)?\s{0,9}\)/),
  {
    ...ends(new RegExp(`^(?:sys\\.exit|raise SystemExit)\\b(?=\\()${NO_FAILURE_OF_PYTHON}`, 'm')),
    of: 'loaded',
  },
  endsLibrary(/\bos\.(?:exec[lv]|posix_spawn)/),
  ends(
    /\bsys\.excepthook\b[\s\S]{0,300}?\bexit\s{0,9}\(\s{0,9}0?\s{0,9}\)|\bexit\s{0,9}\(\s{0,9}0?\s{0,9}\)[\s\S]{0,300}?\bsys\.excepthook\s{0,9}=/,
  ),
  endsModule(
    /^(?:sys\.exit|exit|quit)\(\s{0,9}0?\s{0,9}\)|^raise SystemExit(?:\(\s{0,9}0?\s{0,9}\))?[ \t]{0,9}$/m,
  ),
  sign('whether it is being tested', /\bPYTEST_(?:CURRENT_TEST|VERSION)\b/),
]

const TEST_MODULES =
  'node:test(?:/[\\w-]+)?|vitest(?:/[\\w-]+)?|@vitest/[\\w-]+|jest|@jest/[\\w-]+|jest-[\\w-]+|expect|chai|mocha|ava|tap|jasmine|jasmine-core|sinon|@playwright/test|bun:test|uvu(?:/[\\w-]+)?'

const GLOBAL =
  '(?:Object|Array|Function|Number|String|Boolean|Promise|Map|Set|RegExp|Error|Date|Reflect|JSON|Math|performance|setTimeout|setInterval)'
const BUILT_IN =
  '\\b(?:Object|Array|Function|Number|String|Boolean|Symbol|Promise|Map|Set|RegExp|Error|Date|Reflect|JSON|Math)(?:\\.prototype)?'
/** What components and their stories have and the language's own classes don't: `Error.args`, `Map.Marker`. A part of a
 * prototype is visible in every object. */
const PART_OF_COMPONENT =
  '(?<!\\bprototype\\s{0,9}\\.\\s{0,9})(?:args|argTypes|parameters|decorators|loaders|play|render|tags|story|storyName|displayName|propTypes|defaultProps|(?:childC|c)ontextTypes?|getInitialProps|getLayout|(?!NaN\\b)[A-Z][a-z]\\w*)'
const PROPERTY = `(?!(?:stackTraceLimit|${PART_OF_COMPONENT})\\b)\\w+`
/** Their braces are closed: those of an attribute in JSX are still open before a line in it. */
const TYPE_PARAMETERS = '(?:[^<>;(){}]|<[^<>;()]{0,200}>|\\{[^<>;(){}]{0,200}\\}){0,400}'
/** Such a name at the start of a line is also a member of an enum (`enum Kind { String = 'string' }`) or a type parameter (`type Hook<Error = any>`). */
const NOT_DECLARED = [
  '^[ \\t]{0,80}(?:(?:export|declare|const)\\s{1,9}){0,3}enum\\s{1,9}\\w{1,80}\\s{0,9}\\{[^{};]{0,4000}',
  `(?:\\b(?:type|interface|class|function)\\s{1,9}\\w{1,80}|[=(])\\s{0,9}<${TYPE_PARAMETERS}`,
  // In an expression nothing is assigned to what follows a less-than sign.
  `<\\s{0,200}(?:\\w{1,80}\\s{1,9}(?:extends\\s[^<>;(=]{1,200})?=[^=>]${TYPE_PARAMETERS})?`,
]
  .map((before) => `(?<!${before})`)
  .join('')

const JAVASCRIPT: readonly Sign[] = [
  ...JAVASCRIPT_COMPARING,
  sign(
    'the test runner $1',
    new RegExp(`(?:\\bfrom\\s*|\\bimport\\s*\\(?\\s*|\\brequire\\s*\\(\\s*)['"](${TEST_MODULES})['"]`),
  ),
  sign(
    'the assertions of its tests',
    /\brequire\b[^\n]{0,80}\(\s*['"](?:node:)?assert(?:\/strict)?['"]\s*\)\s*\.\s*\w+\s*=[^=]/,
  ),
  sign('the assertions of its tests', /\bimport\s*\(\s*['"](?:node:)?assert/),
  sign('the assertions of its tests', /\bcreateRequire\b[\s\S]{0,400}['"](?:node:)?assert/),
  sign(
    'the globals of its tests',
    /\b(?:globalThis|global|window|self)\s*(?:\.\s*|\[\s*['"])(?:expect|assert|test|it|describe|jest|vi|beforeEach|afterEach)\b/,
  ),
  sign('the globals of its tests', /\bexpect\s*\.\s*(?:extend|addEqualityTesters)\s*\(/),
  sign('an equality that always holds', /\basymmetricMatch\b/),
  sign('what is built in', new RegExp(`${BUILT_IN}\\s*(?:\\.[ \\t]*${PROPERTY}|\\[[^\\]\\n]+\\])\\s*=[^=>]`)),
  // A sentence of a comment may end with such a name.
  {
    ...sign('what is built in', new RegExp(`${BUILT_IN}\\s*\\.\\s*${PROPERTY}\\s*=[^=>]`)),
    isInCode: true,
  },
  sign(
    'what is built in',
    /\b(?:defineProperty|defineProperties|assign|set)\s*\(\s*(?:Object|Array|Function|Number|String|Boolean|Promise|Error|Reflect|JSON|Math)(?:\.prototype)?\s*,/,
  ),
  sign('what is built in', new RegExp(`\\b(?:globalThis|global)\\s{0,9}\\.\\s{0,9}${GLOBAL}\\s{0,9}=[^=>]`)),
  {
    ...sign('what is built in', new RegExp(`^[ \\t]{0,80}(?=${GLOBAL}\\s{0,9}=[^=>])${NOT_DECLARED}`, 'm')),
    isInCode: true,
  },
  sign(
    'what is built in',
    /(?:\bgetPrototypeOf\s{0,9}\(\s{0,9}(?:\[\s{0,9}\]|''|""|\d|\{\s{0,9}\})\s{0,9}\)|(?:\[\s{0,9}\]|''|"")\s{0,9}\.\s{0,9}(?:__proto__|constructor\s{0,9}\.\s{0,9}prototype))\s{0,9}(?:\.\s{0,9}\w{1,40}|\[[^\]\n]{1,99}\])\s{0,9}=[^=>]/,
  ),
  sign(
    'what is built in',
    /\brequire\s{0,9}\(\s{0,9}['"](?:node:)?(?:fs|fs\/promises|util|child_process|path|timers|perf_hooks|url)['"]\s{0,9}\)\s{0,9}\.\s{0,9}\w{1,40}\s{0,9}=[^=>]/,
  ),
  sign(
    'modules that are loaded already',
    /\brequire\s*\.\s*cache\b|\bModule\s*\.\s*(?:_load|_cache|prototype)\b|\bregisterHooks\b/,
  ),
  sign(
    'the process that it runs in',
    /\bprocess\s*\.\s*(?:reallyExit|binding|emit|stdout\s*\.\s*write|stderr\s*\.\s*write)\s*=[^=]/,
  ),
  ends(
    /\bprocess\s{0,9}\.\s{0,9}(?:on|once|addListener|prependListener)\s{0,9}\(\s{0,9}['"](?:exit|beforeExit|uncaughtException\w{0,20}|unhandledRejection)['"][\s\S]{0,200}?(?:\bexit\s{0,9}\(\s{0,9}0?\s{0,9}\)|\bexitCode\s{0,9}=\s{0,9}0)/,
  ),
  ends(
    /\bsetUncaughtExceptionCaptureCallback\b|\bprocess\s*\.\s*(?:reallyExit|execve)\b|\bprocess\s*\.\s*binding\s*\(/,
  ),
  sign(
    COMPUTED,
    /\bprocess\s{0,9}\[(?!\s{0,9}Symbol\b)(?!\s{0,9}\w{1,40}\s{0,9}\]\s{0,9}\.\s{0,9}(?:write|isTTY|columns|rows|fd)\b(?!\s{0,9}(?:=[^=]|\[|\?\.|\.)))|\b(?:globalThis|global)\s{0,9}\[[^\]\n]{1,200}\]\s{0,9}(?:\[|\.|\()|\b(?:Reflect|Object)\s{0,9}\.\s{0,9}\w{1,40}\s{0,9}\(\s{0,9}process\s{0,9}[,)]|\bimport\s{0,9}\(\s{0,9}['"](?:node:)?process['"]/,
  ),
  sign(
    HIDDEN,
    /(?<![.\w$])(?:eval|Function)\s{0,9}\([^\n]{0,200}?\b(?:process|exit|atob|fromCharCode|Buffer)\b|\bconstructor\s{0,9}(?:\.\s{0,9}constructor\s{0,9})?\(\s{0,9}['"`]return\b/,
  ),
  endsInCode(
    new RegExp(`(?<![\\w$.])process\\s{0,9}\\.\\s{0,9}exit\\b(?!\\s{0,9}=[^=])(?!\\s{0,9}\\(${FAILURE})`),
  ),
  sign(
    'whether it is being tested',
    /\b(?:NODE_TEST_CONTEXT|JEST_WORKER_ID|VITEST(?:_\w+)?)\b|\bimport\s*\.\s*meta\s*\.\s*vitest\b/,
  ),
]

const GO: readonly Sign[] = [
  ...GO_COMPARING,
  sign('the test runner $1', /^[ \t]*(?:import\s+)?(?:[\w.]+\s+)?"(testing(?:\/\w+)?)"\s*$/m),
  sign('the arguments of its test run', /\bos\.Args\s*=[^=]|"-?-?test\.\w+/),
  sign('the insides of other packages', /^\/\/go:linkname\b/m),
  endsLibrary(new RegExp(`\\b(?:os|syscall|unix)\\s{0,9}\\.\\s{0,9}Exit\\b(?!\\s{0,9}\\(${FAILURE})`)),
  endsLibrary(
    /\b(?:syscall|unix)\s{0,9}\.\s{0,9}(?:Exec|RawSyscall)\s{0,9}\(|\bSyscall6?\s{0,9}\(\s{0,9}(?:60|231|\w{1,20}\.SYS_EXIT\w{0,20})\b/,
  ),
  ends(/^func\s{1,9}init\s{0,9}\(\s{0,9}\)\s{0,9}\{[^}]{0,400}\bos\.Exit\s{0,9}\(\s{0,9}0\b/m),
]

const SHELL: readonly Sign[] = [
  sign(
    'what its checks compare by: $1',
    /^[ \t]*(?:function[ \t]+)?(\[|test|exit|set|trap|diff|cmp|grep|awk|sed|cat|echo|printf|true|false|assert\w*|expect\w*)[ \t]*\(\)/m,
  ),
  sign(
    'what its checks compare by: $1',
    /^[ \t]*function[ \t]+(\[|test|exit|set|trap|diff|cmp|grep|awk|sed|cat|echo|printf|true|false|assert\w*|expect\w*)[ \t]*\{/m,
  ),
  sign('what its checks compare by', /\beval\b[^\n]{0,99}\(\s{0,9}\)[^\n]{0,99}\{|^[ \t]*set[ \t]+-[a-z]*n/m),
  sign('what its checks compare by: $1', /(?:^|[;&|({])[ \t]*alias[ \t]+([\w[]+)=/m),
  ends(
    /\btrap\s{1,9}['"][^'"\n]{0,99}\bexit\s{1,9}0\b|\btrap\b[^\n]{0,99}\bexit\b[^\n]{0,99}\bDEBUG\b|^exec[ \t]+(?:\/\S*\/)?(?:true|:)[ \t]*$/m,
  ),
  endsLibrary(
    /\bexit(?:[ \t]{1,9}(?:["']?0{1,9}["']?|\$\(\([^\n)]{0,40}\)\)|256|512|768))?[ \t]{0,9}(?:$|[;})&|])/m,
  ),
  // Programs are installed in folders of the system and of the home folder. A text that is printed may quote the line.
  sign(
    'the programs that its checks run',
    /(?:^|[;&|({\s])PATH=(?!(?:\\?["'])?(?:~|\\?\$\{?(?:HOME|PATH)\b|\/(?:usr|s?bin|opt|snap|nix|Applications|Library)\b))(?:\\?["'])?[^\s:"']{1,99}[^\n]{0,99}\$\{?PATH\b|\bhash\s+-p\b|\benable\s+-[fn]\b/m,
  ),
  sign('the process that runs it', /\$\{?PPID\b/),
  sign('whether it is being tested', /\b(?:BATS|SHELLSPEC|SHUNIT)_[A-Z]/),
]

const RUBY: readonly Sign[] = [
  ...RUBY_COMPARING,
  sign('the test runner $1', /\b(Minitest|RSpec|Test::Unit)\b/),
  sign('objects of others in memory', /\bObjectSpace\b/),
  sign('what is built in', /^def[ \t]+(?:exit!?|abort|raise|at_exit)(?![\w?!])/m),
  sign(
    'what is built in',
    /\bclass[ \t]{1,9}<<[ \t]{0,9}(?:Time|Date|DateTime|Process)\b(?:(?!\n(?:end|class|module)\b)[\s\S]){0,2000}?\bdef[ \t]{1,9}(?:now|today|clock_gettime)\b|\bdef[ \t]{1,9}(?:Time|Date|DateTime|Process)\.(?:now|today|clock_gettime)\b|\b(?:Time|Date|DateTime|Process)\.define_singleton_method\b/,
  ),
  endsLibrary(/\beval[ \t(]{1,9}(?:File|IO)\.(?:bin)?read\b/),
  ends(/(?:\bat_exit\b|^END\b)[^}]{0,120}?\bexit!?(?:\s{0,9}\(?\s{0,9}(?:0|true)\b|\s{0,9}[}\n;])/m),
  ends(
    /\b(?:send|public_send|__send__|method)[ \t]{0,9}\(?[ \t]{0,9}:?['"]?exit\b|\b(?:Process|Kernel)\.(?:send|public_send|__send__|method)[ \t]{0,9}\(?[ \t]{0,9}(?![:'" \t(])\w/,
  ),
  endsInCode(
    /(?!^(?:Process\.|Kernel\.)?exit!?[ \t(])(?<![\w.:@$]|(?:def|alias|alias_method|undef)[ \t]{1,9}(?:self\.)?|\balias[ \t]\w{1,40}[ \t])(?:(?:Process|Kernel)\.|::Kernel\.)?exit!?(?:[ \t]{0,9}\(?[ \t]{0,9}(?:0|true|!!?\w{1,40}|\w{1,40}[ \t]{0,9}\?[^\n]{0,40}|256)\b[ \t]{0,9}\)?|\(\))?[ \t]{0,9}(?:$|[;}]|\b(?:if|unless|end)\b)/m,
  ),
  endsLibrary(/\braise[ \t(]{1,9}SystemExit\b|\bSystemExit\.new\b/),
  endsLibrary(/\bThread\.(?:(?:current|main)\.(?:exit|kill|terminate)|exit)\b/),
  endsLibrary(/(?:^|[\s;{])(?:Process\.|Kernel\.)?exec[ \t(]{1,9}['"]/m),
  endsModule(/^(?:Process\.|Kernel\.)?exit!?(?:[ \t]{0,9}\(?[ \t]{0,9}(?:0|true)[ \t]{0,9}\)?)?[ \t]{0,9}$/m),
]

const PHP: readonly Sign[] = [
  ...PHP_COMPARING,
  sign('the test runner $1', /\b(PHPUnit|PHPUNIT_\w+|Pest)\b/),
  ends(
    new RegExp(`\\bregister_shutdown_function\\b[\\s\\S]{0,120}?\\b(?:exit|die)\\b(?!\\s{0,9}\\(${FAILURE})`),
  ),
  // With a string as its argument it prints the string, and still exits with success.
  endsLibrary(
    new RegExp(
      `(?:^|[\\s;{}():&|?])(?<!->\\s{0,9}|::\\s{0,9}|\\bfunction\\s{1,9})(?:exit|die)\\b(?:\\s{0,9}(?:;|\\?>|[,)])|\\s{0,9}\\((?!${FAILURE}))`,
      'm',
    ),
  ),
  endsLibrary(/\bpcntl_exec\s{0,9}\(/),
]

const JAVA: readonly Sign[] = [
  ...JAVA_COMPARING,
  sign(
    'the test runner $1',
    /\bimport\s+(?:static\s+)?(org\.junit|junit\.framework|org\.testng|org\.assertj)\b/,
  ),
  ends(
    /\bgetRuntime\s{0,9}\(\s{0,9}\)\s{0,9}\.\s{0,9}(?:halt|exit)\b|\bstatic\s{0,9}\{[^}]{0,400}\b(?:System\s{0,9}\.\s{0,9}exit|exitProcess)\b|\bgetMethod\s{0,9}\(\s{0,9}["'](?:exit|halt)["']/,
  ),
  // In Java a folder is only part of a package's name, so it doesn't show that a class is a program; a main function does.
  endsModule(
    new RegExp(
      `\\b(?:System\\s{0,9}\\.\\s{0,9}exit|System\\s{0,9}::\\s{0,9}exit|exitProcess|sys\\s{0,9}\\.\\s{0,9}exit)\\b(?!\\s{0,9}\\(${FAILURE}|\\s{0,9};)`,
    ),
  ),
  endsModule(/\bimport\s{1,9}static\s{1,9}java\.lang\.System\.(?:exit|\*)/),
  endsModule(/\bRuntime\b[\s\S]{0,1000}?\.\s{0,9}(?:halt\s{0,9}\(|exit\s{0,9}\(\s{0,9}0)/),
]

const RUST: readonly Sign[] = [
  ...RUST_COMPARING,
  endsLibrary(
    new RegExp(`(?<!//[^\\n]{0,200})\\b(?:process|libc|unistd|c)::_?_?exit\\b(?!\\s{0,9}\\(${FAILURE})`),
  ),
  endsLibrary(/\bextern\s{1,9}"C"\s{0,9}\{[^}]{0,2000}\bfn\s{1,9}_{0,2}[eE]xit\b/),
  endsLibrary(/\bCommandExt\b[\s\S]{0,1000}?\.\s{0,9}exec\s{0,9}\(\s{0,9}\)/),
  // Tests are built in debug mode, and releases are not. A block of macros only asserts or logs.
  sign(
    'whether it is built in debug mode, as tests are',
    /\bcfg!\s*\([^;{}\n]{0,200}\bdebug_assertions\b[^;{}\n]{0,200}\)(?!\s{0,200}\{\s{0,200}(?:\w{1,40}!\s{0,9}\((?:[^;{}]|\{[^;{}\n]{0,60}\}){0,400}\)\s{0,200}(?:;\s{0,200})?){1,9}\})|\bcfg(?:_attr)?\s*\([^\]\n]{0,200}?\bnot\s*\(\s*debug_assertions\b/,
  ),
  sign(
    'whether it is built in debug mode, as tests are',
    /#\[cfg\([^\]\n]{0,200}\bdebug_assertions\b[^\]\n]{0,200}\]\s{0,200}(?:(?:let|return|if|match|for|while|loop)\b|[\w.]{1,80}\s{0,9}=[^=>])/,
  ),
  // In any combination (`any(test, doctest)`), but only before a statement, because an item may have a counterpart with the
  // same name.
  sign(
    'whether it is being tested',
    /\bcfg!\s*\([^;{}\n]{0,200}\b(?:doc)?test\b|\bcfg(?:_attr)?\s*\([^\]\n]{0,200}?\bnot\s*\(\s*(?:(?:any|all)\s*\()?[^()\n]{0,100}\b(?:doc)?test\b/,
  ),
  sign(
    'whether it is being tested',
    /#\[cfg\([^\]\n]{0,200}\b(?:doc)?test\b[^\]\n]{0,200}\]\s{0,200}(?:(?:let|return|if|match|for|while|loop)\b|\{|[\w.]{1,80}\s{0,9}=[^=>])/,
  ),
]

const PERL: readonly Sign[] = [
  ...PERL_COMPARING,
  ofProduct(
    'the test runner $1',
    /^[ \t]*(?:use|require)[ \t]+(Test::(?:Builder|More|Simple|Most|Harness)|TAP::\w+)\b|\bTest::(?:Builder|More)(?:->|::\w+\s*=)/m,
  ),
  ofProduct('modules that are loaded already', /\$INC\s*\{\s*['"]?(?:Test|TAP)\//),
  ofProduct('whether it is being tested', /\bHARNESS_(?:ACTIVE|VERSION)\b/),
  endsLibrary(
    /(?:^|[;}\s&|(]|\{(?!(?:exit|_exit)\s{0,9}\}))(?<!\bsub\s{1,9}|[ \t]#[^\n]{0,200})(?:CORE::|POSIX::)?_?exit\b(?!\s{0,9}(?:=>|,|\}[^;\s]))(?:[ \t]{0,9}\(?[ \t]{0,9}(?:["']?0{1,9}["']?|256|!1|undef)?[ \t]{0,9}\)?)[ \t]{0,9}(?:\s{0,80}\}|;|\b(?:if|unless|or|and)\b)/m,
  ),
  ends(/\bPOSIX::_exit\b(?!\s{0,9}\(?\s{0,9}[1-9])|\bexec[ \t(]{1,9}['"]?(?:\/\S{0,40}\/)?true\b/),
  ends(/\bEND\s{0,9}\{[^}]{0,400}?(?:\$\?\s{0,9}(?:&&|\|\||[*&])?=(?![=~])|\bexit\b|\$CHILD_ERROR\b)/),
  sign('what is built in', /\*\{?["']?CORE::GLOBAL::(?!exit\b|die\b)\w/),
  ends(
    /\bCORE::GLOBAL::(?:exit|die)\b|\$SIG\s{0,9}\{\s{0,9}['"]?__DIE__['"]?\s{0,9}\}[\s\S]{0,200}?\bexit\b/,
  ),
]

const CSHARP: readonly Sign[] = [
  ...CSHARP_COMPARING,
  ofProduct(
    'the test runner $1',
    /^[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?(Xunit|NUnit|Microsoft\.VisualStudio\.TestTools)\b/m,
  ),
  endsLibrary(new RegExp(`\\bEnvironment\\s{0,9}\\.\\s{0,9}Exit\\b(?!\\s{0,9}\\(${FAILURE})`)),
  endsLibrary(/\bEnvironment\s{0,9}\.\s{0,9}ExitCode\s{0,9}=\s{0,9}0\b/),
]

const ELIXIR: readonly Sign[] = [
  ofProduct('the test runner $1', /(?<![\w.])(ExUnit)\b/),
  endsLibrary(
    new RegExp(`(?:\\bSystem\\.(?:halt|stop)|:(?:init\\.stop|erlang\\.halt))\\b(?!\\s{0,9}\\(${FAILURE})`),
  ),
  endsLibrary(/\bapply\s{0,9}\(\s{0,9}(?:System|:init|:erlang)\s{0,9},\s{0,9}:(?:halt|stop)\b/),
]

const C: readonly Sign[] = [
  ...C_COMPARING,
  ofProduct(
    'the assertions of its tests',
    /^[ \t]*#[ \t]*define[ \t]+(?:assert|abort|exit|(?:EXPECT|ASSERT|REQUIRE|CHECK)(?:_\w+)?)\b/m,
  ),
  ends(
    /\b(?:constructor|atexit)\b[\s\S]{0,200}?\b_?_?[eE]xit\s{0,9}\(\s{0,9}(?:0|EXIT_SUCCESS)\b|\b_?_?[eE]xit\s{0,9}\(\s{0,9}(?:0|EXIT_SUCCESS)\b[\s\S]{0,200}?\batexit\b/,
  ),
  endsLibrary(/\b(?:_|quick_)?_?[eE]xit\s{0,9}\(\s{0,9}(?:0{1,9}|0[xX]0{1,9}|256|!1|EXIT_SUCCESS)\s{0,9}\)/),
  endsLibrary(/\bexec[lv]p?e?\s{0,9}\([^\n]{0,80}\btrue"/),
  ofProduct(
    'the test runner $1',
    /^[ \t]*#[ \t]*include[ \t]*[<"](gtest|gmock|catch2|doctest|boost\/test)\b/m,
  ),
]

/** A language in which sources are searched for signs. */
export interface Language {
  readonly files: RegExp
  /** The first line of a program without an extension. */
  readonly interpreter?: RegExp
  readonly signs: readonly Sign[]
  /** Rewrites a text as its interpreter will understand it. */
  readonly fold: (text: string) => string
  /** Removes literals and comments; if omitted, the folded text is searched. */
  readonly code?: (folded: string) => string
  /** Matches what only a program contains, which may end itself; if omitted, only the first line shows that it is one. */
  readonly program?: RegExp
  /** Returns what else it reaches for, in words. */
  readonly alsoFinds?: (folded: string) => readonly string[]
}

const ASSERTIONS = 'the assertions of its tests'

function byNames(folded: string): readonly string[] {
  const { assertions, builtIn, ends: isEnding } = findByNames(folded)
  return [
    ...(assertions ? [ASSERTIONS] : []),
    ...(builtIn ? ['what is built in'] : []),
    ...(isEnding ? [SUCCESS] : []),
  ]
}

/** A file belongs to the first language that matches its name. */
export const LANGUAGES: readonly Language[] = [
  // A stub (.pyi) is never executed.
  {
    files: /\.py$/,
    interpreter: /^#!.*\bpython/,
    signs: PYTHON,
    fold: foldedPython,
    code: codeOfPython,
    alsoFinds: (folded) => (replacesByAlias(folded) ? ['what is built in'] : []),
  },
  {
    files: /\.[cm]?[jt]sx?$|\.(?:vue|svelte)$/,
    interpreter: /^#!.*\b(?:node|deno|bun)\b/,
    signs: JAVASCRIPT,
    fold: foldedJavaScript,
    code: codeOfJavaScript,
    alsoFinds: byNames,
  },
  {
    files: /\.go$/,
    signs: GO,
    fold: foldedGo,
    program: /^package[ \t]{1,9}main\b/m,
    alsoFinds: (folded) => (endsBeforeMain(folded) ? [SUCCESS] : []),
  },
  {
    files: /\.(?:sh|bash|zsh|ksh)$/,
    interpreter: /^#!.*\b(?:ba|da|z|k)?sh\b/,
    signs: SHELL,
    fold: foldedShell,
  },
  { files: /\.rb$/, interpreter: /^#!.*\bruby\b/, signs: RUBY, fold: withWholeWords, code: codeOfRuby },
  { files: /\.php$/, interpreter: /^#!.*\bphp\b/, signs: PHP, fold: foldedPhp },
  {
    files: /\.(?:java|kt|groovy|scala)$/,
    signs: JAVA,
    fold: (text) => withWholeWords(withoutComments(text)),
    program: /\b(?:void|fun|def)[ \t]{1,9}main\b|\bextends[ \t]{1,9}App\b/,
  },
  { files: /\.rs$/, signs: RUST, fold: foldedRust },
  { files: /\.p[lm]$/i, interpreter: /^#!.*\bperl\b/, signs: PERL, fold: foldedPerl },
  {
    files: /\.cs$/i,
    signs: CSHARP,
    fold: foldedCSharp,
    program: /\b(?:void|int|Task(?:<int>)?)[ \t]{1,9}Main\s{0,9}\(/,
  },
  { files: /\.ex$/i, signs: ELIXIR, fold: foldedElixir },
  {
    // Includes everything that sources include, such as `.def`.
    files: /\.(?:c|cc|cpp|cxx|h|hh|hpp|inc|inl|ipp|tpp|def)$/i,
    signs: C,
    fold: foldedC,
    program: /^[\w \t*]{0,80}\bmain\s{0,9}\(/m,
  },
]
