/*
 * Sources that tamper with what runs their tests. Tests, configuration and scripts can all match the baseline, and their result
 * still means nothing: the source under test has disabled the assertions, or knows when it is being tested. No measurement can
 * show that from outside, so the source text is searched for signs, and a person reviews the matches. A match alone accuses no
 * one, because it may have a good reason.
 */

import { foldedJavaScript, foldedPython, foldedShell, withWholeWords } from './folded-text.ts'

interface Sign {
  /** Said of libraries only: what is called `cli`, `server` or `main`, or lies in a folder of scripts, may end itself anywhere. */
  readonly isOfLibraries?: true
  /** Said of modules only: a program (`#!`) may end itself. */
  readonly isOfModules?: true
  readonly pattern: RegExp
  /** What it reaches for, in words; `$1` is what the pattern caught. */
  readonly words: string
}

const sign = (words: string, pattern: RegExp): Sign => ({ words, pattern })

/** A check by exit code alone passes if the source under test ends it first, whatever comes after. */
export const SUCCESS = 'the end of its process, as a success'
const ends = (pattern: RegExp): Sign => sign(SUCCESS, pattern)
const endsModule = (pattern: RegExp): Sign => ({ ...ends(pattern), isOfModules: true })
const endsLibrary = (pattern: RegExp): Sign => ({ ...endsModule(pattern), isOfLibraries: true })

/** Of 28,000 sources of libraries not one in a thousand ends its process, and one in ten thousand reaches it by a computed name. */
const COMPUTED = 'its process by a name that is computed'
const HIDDEN = 'code in a text that is put together'

const PYTHON: readonly Sign[] = [
  sign(
    'the test runner $1',
    /^[ \t]*(?:import|from)[ \t]+(unittest|pytest|_pytest|pluggy|nose2?|hypothesis|testtools|twisted\.trial)\b/m,
  ),
  sign(
    'the test runner $1',
    /(?:__import__|import_module)\(\s*['"](unittest|pytest|_pytest|pluggy|nose2?)\b/,
  ),
  sign('modules that are loaded already', /\bsys\s*\.\s*modules\b/),
  // Any source may name a type by `builtins.type`; replacing a built-in is suspicious.
  sign(
    'the names that are built in',
    /\b__builtins__|\bimport[ \t]+builtins[ \t]+as\b|\b(?:__import__|import_module)\(\s*['"]builtins|\b(?:setattr|delattr|vars)\(\s*builtins\b|\bbuiltins\.__dict__|(?:^|;)[ \t]*(?:del[ \t]+)?builtins\.\w+\s*(?:$|(?:,[^\n=]*)?(?::[^\n=]*)?[-+*/|&]?=[^=])/m,
  ),
  // Clocks, comparisons and what reads or runs things: tests ask them, too. `sys.path` and `ssl` are often set by honest sources.
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
    /\b_getframe\b|\binspect\.(?:stack|currentframe)\b|\bsys\.(?:settrace|setprofile)\b/,
  ),
  sign('objects of others in memory', /\bgc\.(?:get_objects|get_referrers)\b/),
  sign('the end of the process', /\b(?:os|posix)\._exit\b|^os\.exec[lv]|\bsys\.exit[ \t]*=[^=]/m),
  sign(
    COMPUTED,
    /\b(?:os|posix|sys)\s{0,9}\.\s{0,9}__dict__\b|\b(?:getattr|vars|attrgetter)\s{0,9}\(\s{0,9}(?:os|posix|sys)\s{0,9}[,)]/,
  ),
  sign(
    HIDDEN,
    /(?<![.\w])(?:eval|exec)\s{0,9}\([^\n]{0,200}?(?:\b(?:chr|b64decode|fromhex|_exit|__import__|exit|SystemExit)\b|\[::-1\])/,
  ),
  ends(/\bctypes\b[\s\S]{0,300}?\b_?exit\b/),
  endsLibrary(
    /^[ \t]{1,80}(?:[^#'"\n]{0,200}[\s;:(])?(?:(?:sys\.)?(?:exit|quit)\(\s{0,9}(?:0|None|False)?\s{0,9}\)|raise SystemExit(?:\(\s{0,9}(?:0|None|False)?\s{0,9}\))?[ \t]{0,9}$)/m,
  ),
  ends(
    /\bsys\.excepthook\b[\s\S]{0,300}?\bexit\s{0,9}\(\s{0,9}0?\s{0,9}\)|\bexit\s{0,9}\(\s{0,9}0?\s{0,9}\)[\s\S]{0,300}?\bsys\.excepthook\s{0,9}=/,
  ),
  endsModule(
    /^(?:sys\.exit|exit|quit)\(\s{0,9}0?\s{0,9}\)|^raise SystemExit(?:\(\s{0,9}0?\s{0,9}\))?[ \t]{0,9}$/m,
  ),
  sign('whether it is being tested', /\bPYTEST_(?:CURRENT_TEST|VERSION)\b/),
  sign(
    'an equality that always holds',
    /\bdef\s+__eq__\s*\([^)]*\)[^:\n]*:\s*(?:\n\s*)?return\s+True\b|__eq__\s*=\s*lambda[^:\n]*:\s*(?:True|1)\b/,
  ),
]

const TEST_MODULES =
  'node:test(?:/[\\w-]+)?|vitest(?:/[\\w-]+)?|@vitest/[\\w-]+|jest|@jest/[\\w-]+|jest-[\\w-]+|expect|chai|mocha|ava|tap|jasmine|jasmine-core|sinon|@playwright/test|bun:test|uvu(?:/[\\w-]+)?'

const JAVASCRIPT: readonly Sign[] = [
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
  sign(
    'what is built in',
    /\b(?:Object|Array|Function|Number|String|Boolean|Symbol|Promise|Map|Set|RegExp|Error|Date|Reflect|JSON|Math)(?:\.prototype)?\s*(?:\.\s*(?!stackTraceLimit\b)\w+|\[[^\]\n]+\])\s*=[^=>]/,
  ),
  sign(
    'what is built in',
    /\b(?:defineProperty|defineProperties|assign|set)\s*\(\s*(?:Object|Array|Function|Number|String|Boolean|Promise|Error|Reflect|JSON|Math)(?:\.prototype)?\s*,/,
  ),
  sign(
    'what is built in',
    /(?:\b(?:globalThis|global)\s{0,9}\.\s{0,9}|^[ \t]{0,80})(?:Object|Array|Function|Number|String|Boolean|Promise|Map|Set|RegExp|Error|Date|Reflect|JSON|Math|performance|setTimeout|setInterval)\s{0,9}=[^=>]/m,
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
    /\bprocess\s{0,9}\[(?!\s{0,9}Symbol\b)|\b(?:globalThis|global)\s{0,9}\[[^\]\n]{1,200}\]\s{0,9}(?:\[|\.|\()|\b(?:Reflect|Object)\s{0,9}\.\s{0,9}\w{1,40}\s{0,9}\(\s{0,9}process\s{0,9}[,)]|\bimport\s{0,9}\(\s{0,9}['"](?:node:)?process['"]/,
  ),
  sign(
    HIDDEN,
    /(?<![.\w$])(?:eval|Function)\s{0,9}\([^\n]{0,200}?\b(?:process|exit|atob|fromCharCode|Buffer)\b|\bconstructor\s{0,9}(?:\.\s{0,9}constructor\s{0,9})?\(\s{0,9}['"`]return\b/,
  ),
  endsLibrary(
    /^(?!\s{0,80}\/\/)[^\n'"`]{0,200}?(?<![\w$.'"`])process\s{0,9}\.\s{0,9}exit\s{0,9}(?:\((?!\s{0,9}-?[1-9])|\.\s{0,9}(?:call|apply|bind)\b)/m,
  ),
  sign(
    'whether it is being tested',
    /\b(?:NODE_TEST_CONTEXT|JEST_WORKER_ID|VITEST(?:_\w+)?)\b|\bimport\s*\.\s*meta\s*\.\s*vitest\b/,
  ),
]

const GO: readonly Sign[] = [
  sign('the test runner $1', /^\s*(?:import\s+)?(?:[\w.]+\s+)?"(testing(?:\/\w+)?)"\s*$/m),
  sign('the arguments of its test run', /\bos\.Args\s*=[^=]|"-?-?test\.\w+/),
  sign('the insides of other packages', /^\/\/go:linkname\b/m),
  endsLibrary(/^package[ \t]{1,9}(?!main\b)\w[\s\S]{0,20000}?\b(?:os|syscall)\.Exit\s{0,9}\(\s{0,9}0\b/m),
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
  endsLibrary(/\bexit(?:[ \t]{1,9}0)?[ \t]{0,9}(?:$|[;})&|])/m),
  // Folders of the system and of the home are where programs are installed.
  sign(
    'the programs that its checks run',
    /(?:^|[;&|({\s])PATH=["']?(?!~|\$\{?(?:HOME|PATH)\b|\/(?:usr|s?bin|opt|snap|nix|Applications|Library)\b)[^\s:"']{1,99}[^\n]{0,99}\$\{?PATH\b|\bhash\s+-p\b|\benable\s+-[fn]\b/m,
  ),
  sign('the process that runs it', /\$\{?PPID\b/),
  sign('whether it is being tested', /\b(?:BATS|SHELLSPEC|SHUNIT)_[A-Z]/),
]

const RUBY: readonly Sign[] = [
  sign('the test runner $1', /\b(Minitest|RSpec|Test::Unit)\b/),
  sign('objects of others in memory', /\bObjectSpace\b/),
  sign('what is built in', /^def[ \t]+(?:exit!?|abort|raise|at_exit)(?![\w?!])/m),
  ends(/(?:\bat_exit\b|^END\b)[^}]{0,120}?\bexit!?(?:\s{0,9}\(?\s{0,9}(?:0|true)\b|\s{0,9}[}\n;])/m),
  ends(
    /\b(?:send|public_send|__send__|method)[ \t]{0,9}\(?[ \t]{0,9}:?['"]?exit\b|\b(?:Process|Kernel)\.(?:send|public_send|__send__|method)[ \t]{0,9}\(?[ \t]{0,9}(?![:'" \t(])\w/,
  ),
  endsLibrary(
    /^[ \t]{1,80}(?:[^#'"\n]{0,200}[\s;{])?(?<!def[ \t]|\balias[ \t]\w{1,40}[ \t])(?:Process\.|Kernel\.)?exit!?(?:[ \t]{0,9}\(?[ \t]{0,9}(?:0|true)\b[ \t]{0,9}\)?)?[ \t]{0,9}(?:$|[;}])/m,
  ),
  endsModule(/^(?:Process\.|Kernel\.)?exit!?(?:[ \t]{0,9}\(?[ \t]{0,9}(?:0|true)[ \t]{0,9}\)?)?[ \t]{0,9}$/m),
]

const PHP: readonly Sign[] = [
  sign('the test runner $1', /\b(PHPUnit|PHPUNIT_\w+|Pest)\b/),
  endsModule(/^(?:exit|die)[ \t]{0,9}(?:\([ \t]{0,9}0?[ \t]{0,9}\))?[ \t]{0,9};/m),
  ends(/\bregister_shutdown_function\b[\s\S]{0,120}?\bexit\s{0,9}\(\s{0,9}0?\s{0,9}\)/m),
]

const JAVA: readonly Sign[] = [
  sign(
    'the test runner $1',
    /\bimport\s+(?:static\s+)?(org\.junit|junit\.framework|org\.testng|org\.assertj)\b/,
  ),
  ends(
    /\bgetRuntime\s{0,9}\(\s{0,9}\)\s{0,9}\.\s{0,9}(?:halt|exit)\b|\bstatic\s{0,9}\{[^}]{0,400}\b(?:System\s{0,9}\.\s{0,9}exit|exitProcess)\b|\bgetMethod\s{0,9}\(\s{0,9}"(?:exit|halt)"/,
  ),
  // A folder is a part of a package's name there: only a class that can be started is a program.
  ends(
    /^(?![\s\S]{0,200000}\b(?:void|fun|def)\s{1,9}main\b)[\s\S]{0,200000}?\b(?:System\s{0,9}\.\s{0,9}exit|exitProcess)\s{0,9}\(\s{0,9}0\s{0,9}\)/,
  ),
]

const RUST: readonly Sign[] = [
  endsLibrary(/\bprocess::exit\s{0,9}\(\s{0,9}0\b/),
  // In whatever combination (`any(test, doctest)`), and before a statement, which an item of the same name could not be.
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
  sign(
    'the test runner $1',
    /^[ \t]*(?:use|require)[ \t]+(Test::(?:Builder|More|Simple|Most|Harness)|TAP::\w+)\b|\bTest::(?:Builder|More)(?:->|::\w+\s*=)/m,
  ),
  sign('modules that are loaded already', /\$INC\s*\{\s*['"]?(?:Test|TAP)\//),
  sign('whether it is being tested', /\bHARNESS_(?:ACTIVE|VERSION)\b/),
  endsModule(/^exit(?:[ \t]{0,9}\(?[ \t]{0,9}0[ \t]{0,9}\)?)?[ \t]{0,9};/m),
  ends(/\bPOSIX::_exit\b|\bexec[ \t]{1,9}['"]?(?:\/\S{0,40}\/)?true\b/),
  ends(/^END\b[\s\S]{0,120}?\$\?\s{0,9}=\s{0,9}0/m),
]

const CSHARP: readonly Sign[] = [
  sign(
    'the test runner $1',
    /^[ \t]*(?:global[ \t]+)?using[ \t]+(?:static[ \t]+)?(Xunit|NUnit|Microsoft\.VisualStudio\.TestTools)\b/m,
  ),
]

const ELIXIR: readonly Sign[] = [sign('the test runner $1', /(?<![\w.])(ExUnit)\b/)]

const C: readonly Sign[] = [
  sign(
    'the assertions of its tests',
    /^[ \t]*#[ \t]*define[ \t]+(?:assert|abort|exit|(?:EXPECT|ASSERT|REQUIRE|CHECK)(?:_\w+)?)\b/m,
  ),
  ends(
    /\b(?:constructor|atexit)\b[\s\S]{0,200}?\b_?_?[eE]xit\s{0,9}\(\s{0,9}(?:0|EXIT_SUCCESS)\b|\b_?_?[eE]xit\s{0,9}\(\s{0,9}(?:0|EXIT_SUCCESS)\b[\s\S]{0,200}?\batexit\b/,
  ),
  endsLibrary(
    /^(?![\s\S]{0,200000}\bmain\s{0,9}\()[\s\S]{0,200000}?\b(?:_|quick_)?_?[eE]xit\s{0,9}\(\s{0,9}(?:0|EXIT_SUCCESS)\s{0,9}\)/,
  ),
  sign('the test runner $1', /^[ \t]*#[ \t]*include[ \t]*[<"](gtest|gmock|catch2|doctest|boost\/test)\b/m),
]

const SIGNS: readonly (readonly [extensions: RegExp, signs: readonly Sign[]])[] = [
  // A stub (.pyi) is never executed.
  [/\.py$/, PYTHON],
  [/\.[cm]?[jt]sx?$|\.(?:vue|svelte)$/, JAVASCRIPT],
  [/\.go$/, GO],
  [/\.(?:sh|bash|zsh|ksh)$/, SHELL],
  [/\.rb$/, RUBY],
  [/\.php$/, PHP],
  [/\.(?:java|kt|groovy|scala)$/, JAVA],
  [/\.rs$/, RUST],
  // Libraries of these are often split into packages, some of which are made for tests.
  [/^(?!.*test).*\.p[lm]$/i, PERL],
  [/^(?!.*test).*\.cs$/i, CSHARP],
  [/^(?!.*test).*\.ex$/i, ELIXIR],
  [/^(?!.*test).*\.(?:c|cc|cpp|cxx|h|hh|hpp)$/i, C],
]

/** A program without an extension names its interpreter. */
const BY_INTERPRETER: readonly (readonly [firstLine: RegExp, signs: readonly Sign[]])[] = [
  [/^#!.*\b(?:ba|da|z|k)?sh\b/, SHELL],
  [/^#!.*\bpython/, PYTHON],
  [/^#!.*\b(?:node|deno|bun)\b/, JAVASCRIPT],
  [/^#!.*\bruby\b/, RUBY],
  [/^#!.*\bphp\b/, PHP],
  [/^#!.*\bperl\b/, PERL],
]
const WITHOUT_EXTENSION = /(?:^|\/)[^/.][^/.]*$/

const FOLDED: readonly (readonly [signs: readonly Sign[], fold: (text: string) => string])[] = [
  [PYTHON, foldedPython],
  [JAVASCRIPT, foldedJavaScript],
  [SHELL, foldedShell],
  [RUBY, withWholeWords],
]

/** Such a file starts or ends programs: most that do are called so. */
const PROGRAM_PATH =
  /(?:^|\/)(?:bin|cli|cmd|commands?|scripts?|tools?|examples?|bench\w{0,20}|servers?|workers?|build|dev|demos?|samples?|packaging)\/|(?:^|[/._-])(?:cli|main|__main__|server|app|bin|run\w{0,20}|start|worker|daemon|cmd|command|shutdown|bootstrap|entry|build|watch\w{0,20}|dev|setup|install\w{0,20}|launch\w{0,20}|migrate|seed|manage|process|exit|signals?)\.\w{1,6}$/i

/** Said of a link that took a source's place and leads to files that no difference shows. */
export const LEADS_AWAY = 'files that are not part of the work'

/** Whether a file of that name is read for signs at all. */
export function mayReach(path: string): boolean {
  return WITHOUT_EXTENSION.test(path) || SIGNS.some(([extensions]) => extensions.test(path))
}

/** What a source reaches for that is its runner's and its tests', in words, each once. Pure; never throws. */
export function reachesFor(path: string, text: string): readonly string[] {
  const signs = signsFor(path, text)
  const folded = (FOLDED.find(([of]) => of === signs)?.[1] ?? ((plain) => plain))(text)
  const isProgram = text.startsWith('#!')
  const isCalledSo = PROGRAM_PATH.test(path)
  const found = signs.flatMap(({ pattern, words, isOfModules, isOfLibraries }) => {
    const isSpared = (isOfModules === true && isProgram) || (isOfLibraries === true && isCalledSo)
    const match = isSpared ? null : pattern.exec(folded)
    return match === null ? [] : [words.replace('$1', match[1] ?? '')]
  })
  if (signs === JAVASCRIPT) {
    if (overwrites(ASSERT_NAMES, folded)) found.push(ASSERTIONS)
    if (overwrites(MODULE_NAMES, folded)) found.push('what is built in')
    if (EXPORTS.test(folded) && ENDS_AT_TOP.test(folded)) found.push(SUCCESS)
  }
  return [...new Set(found)]
}

function signsFor(path: string, text: string): readonly Sign[] {
  const found = WITHOUT_EXTENSION.test(path)
    ? BY_INTERPRETER.find(([firstLine]) => firstLine.test(text))
    : SIGNS.find(([extensions]) => extensions.test(path))
  return found?.[1] ?? []
}

/** A program may end itself; a module that others import may not, unless a function of it is called. */
const EXPORTS = /^(?:export\b|module\.exports\b|exports\.)/m
const ENDS_AT_TOP =
  /^(?!export\b|async\b|function\b|class\b|const\b|let\b|var\b|\/|\*|\s)[^\n]*\bexit\s{0,9}\(\s{0,9}0?\s{0,9}\)/m

const ASSERTIONS = 'the assertions of its tests'

const ASSERT_NAMES = [
  /\bimport\s+(?:\*\s*as\s+)?([\w$]+)[^;'"\n]*\bfrom\s*['"](?:node:)?assert(?:\/strict)?['"]/g,
  /\bimport\s*\{[^}]*\b(?:strict|default)\s+as\s+([\w$]+)[^}]*\}\s*from\s*['"](?:node:)?assert/g,
  /\b(?:const|let|var)\s+([\w$]+)\s*=\s*require\(\s*['"](?:node:)?assert(?:\/strict)?['"]\s*\)/g,
]

/** Modules that tests look at the world by. A server sets its defaults in others: `events`, `http`, `tls`. */
const MODULE = `['"](?:node:)?(?:fs|fs/promises|util|child_process|path|timers|timers/promises|perf_hooks|url)['"]`
const MODULE_NAMES = [
  new RegExp(`\\bimport\\s{1,9}(?:\\*\\s{0,9}as\\s{1,9})?([\\w$]{1,40})\\s{1,9}from\\s{0,9}${MODULE}`, 'g'),
  new RegExp(
    `\\b(?:const|let|var)\\s{1,9}([\\w$]{1,40})\\s{0,9}=\\s{0,9}require\\(\\s{0,9}${MODULE}\\s{0,9}\\)`,
    'g',
  ),
]

/** Returns whether a part of a module with one of these names is replaced. Any source may assert; replacing an assertion is suspicious. */
function overwrites(namesOf: readonly RegExp[], text: string): boolean {
  const names = new Set(
    namesOf.flatMap((pattern) => [...text.matchAll(pattern)].flatMap(([, name]) => name ?? [])),
  )
  return [...names].some((name) => {
    const own = name.replaceAll('$', '\\$')
    const assigned = new RegExp(`(?<![\\w$.])${own}\\s*(?:\\.\\s*[\\w$]+|\\[[^\\]\\n]+\\])+\\s*=[^=>]`)
    const passed = new RegExp(
      `\\b(?:assign|defineProperty|defineProperties|setPrototypeOf|set|method|spyOn)\\s*\\(\\s*${own}\\b`,
    )
    return assigned.test(text) || passed.test(text)
  })
}
