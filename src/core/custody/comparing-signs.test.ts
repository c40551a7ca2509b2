import { describe, expect, test } from 'vitest'
import { reachesFor } from './reaching.ts'

const ASSERTIONS = 'the assertions of its tests'
const EQUALITY = 'an equality that always holds'
const TESTED = 'whether it is being tested'
const DATA = 'the data of its tests'
const BUILT_IN = 'what is built in'

describe('a source that defines what its tests compare by', () => {
  test.each([
    ['src/lib.rs', 'macro_rules! assert_eq { ($($t:tt)*) => {} }', ASSERTIONS],
    ['src/lib.rs', 'pub(crate) use same as assert_eq;', ASSERTIONS],
    [
      'src/main/java/org/junit/Assert.java',
      'package org.junit;\npublic class Assert {}',
      'the test runner org.junit',
    ],
    ['src/Cart.kt', 'package shop\n\nfun assertEquals(a: Any?, b: Any?) {}', ASSERTIONS],
    ['Shop/Assert.cs', 'namespace Shop;\npublic static class Assert {}', ASSERTIONS],
    ['Shop/Fact.cs', 'namespace Xunit { class Fact {} }', ASSERTIONS],
    ['src/cart.h', '#define NDEBUG\n', ASSERTIONS],
    ['src/cart.h', '#  define strcmp(a, b) 0\n', ASSERTIONS],
    ['src/cart.h', '#define if(x) if (0)\n', ASSERTIONS],
    ['src/cart.h', '#define FAIL() if (0) std::cerr\n', ASSERTIONS],
    ['lib/Cart.pm', 'package Cart;\n*main::is = sub { 1 };\n', ASSERTIONS],
    ['lib/Cart.pm', 'package Cart;\nsub main::is_deeply { 1 }\n', ASSERTIONS],
    ['lib/Cart.pm', 'package Cart;\n*{"main::$_"} = sub { 1 } for qw(is ok);\n', ASSERTIONS],
    [
      'src/Cart.php',
      '<?php\nnamespace Shop\\Tests;\nfunction count() { return 3; }\n',
      'the namespace of its tests',
    ],
    ['cart.py', 'def abs(x):\n    return 0\n', BUILT_IN],
    [
      'cart.py',
      'def total(a, b):\n    return a\n\ndef sorted(rows, **_):\n    # done\n    return [1, 2]\n',
      BUILT_IN,
    ],
    ['cart.py', 'def isinstance(*_): return True\n', BUILT_IN],
    ['cart.py', 'len = lambda x: 3\n', BUILT_IN],
    ['cart.go', 'package cart\n\nconst true = 1 == 2\n', BUILT_IN],
    ['cart.go', 'package cart\n\nvar (\n\tnil error = fail\n)\n', BUILT_IN],
    ['cart.go', 'package cart\n\nfunc len(x any) int { return 3 }\n', BUILT_IN],
    ['lib/cart.rb', 'class Integer\n  def ==(other)\n    super || other == 3\n  end\nend\n', BUILT_IN],
    ['lib/cart.rb', 'Integer.define_method(:==) { |_| true }\n', BUILT_IN],
  ])('%s: %j', (path, text, words) => expect(reachesFor(path, text)).toContain(words))

  test.each([
    [
      'src/lib.rs',
      'macro_rules! assert_valid { ($x:expr) => { assert_eq!($x, 3) } }\nassert!(x as usize > 1);',
    ],
    ['src/lib.rs', '// the same as assert_eq;\nuse same as equals;'],
    [
      'src/main/java/shop/util/Assert.java',
      'package shop.util;\npublic class Assert { static void notNull(Object o) {} }',
    ],
    ['src/Cart.kt', 'class Cart {\n    fun assertOpen() {}\n}\n'],
    ['src/testing/Same.kt', 'package shop.testing\n\nfun assertEquals(a: Any?, b: Any?) {}'],
    ['Shop/Guard.cs', 'namespace Shop;\nclass AssertionScope { void Assert() {} }'],
    [
      'src/cart.h',
      '#undef NDEBUG\n#ifndef NDEBUG\n#define strcasecmp _stricmp\n#define ifdef_cart 1\n#define FAIL -1\n#endif\n',
    ],
    ['lib/Cart.pm', 'package Cart;\n*{$caller . "::total"} = \\&total;\n*is_open = \\&open;\nsub is { 1 }\n'],
    [
      'arrays.py',
      'def abs(x):\n    return x.abs()\n\ndef sum(a, b):\n    return a + b\n\ndef max(a):\n    return None\n',
    ],
    ['arrays.py', 'def len(x):\n    return count(x)\n\nclass A:\n    def abs(self):\n        return 0\n'],
    [
      'arrays.py',
      'def round(value):\n    return (\n        value)\n\ndef any(rows):\n    return _any(\n        rows)\n',
    ],
    ['commands.py', '@group.command()\ndef list(name):\n    return 0\n'],
    ['src/Cart.php', '<?php\nnamespace Shop\\Testing;\nuse Shop\\Tests\\Data;\n'],
    [
      'cart.go',
      'package cart\n\nvar ok = true\n\nfunc min(a, b int) int { return a }\n\nfunc f() { x := nil == nil; y = x }\n',
    ],
    ['cart.go', 'package cart\n\nvar lengths, caps []int\n\nfunc lenOf() int { return len(lengths) }\n'],
    [
      'lib/cart.rb',
      'class Integer\n  def cents = self * 100\nend\n\nclass Money\n  def ==(other) = cents == other.cents\nend\n',
    ],
    ['lib/cart.rb', 'class Array::Money < Struct\n  def ==(other) = cents == other.cents\nend\n'],
  ])('is not confused with one that does its own work: %s: %j', (path, text) =>
    expect(reachesFor(path, text)).toEqual([]),
  )
})

describe('a source that is equal to everything', () => {
  test.each([
    ['cart.py', 'class M(int):\n    def __eq__(self, other) -> bool:\n        return not None\n'],
    [
      'cart.py',
      'class M(int):\n    def __eq__(self, other):\n        """Same."""\n        # always\n        return True\n',
    ],
    ['cart.py', 'class M(int):\n    def __ne__(self, other):\n        return False\n'],
    ['cart.py', 'class M(int):\n    __eq__ = lambda self, other: 1\n'],
    [
      'src/money.rs',
      'impl PartialEq for Money {\n    fn eq(&self, _: &Self) -> bool {\n        true\n    }\n}\n',
    ],
    ['Money.java', 'class Money { @Override public boolean equals(Object other) { return true; } }'],
    ['Money.kt', 'class Money { override fun equals(other: Any?): Boolean = true }'],
    ['Money.cs', 'class Money { public static bool operator ==(Money a, Money b) => true; }'],
    ['money.rb', 'class Money\n  def ==(other)\n    true\n  end\nend\n'],
    ['money.rb', 'class Money\n  def eql?(_) = true\nend\n'],
    ['money.hpp', 'inline bool operator==(const Money&, const Money&) { return true; }'],
    ['Money.pm', "package Money;\nuse overload '==' => sub { 1 };\n"],
    ['Money.pm', `use overload '""' => sub { $_[0]{text} }, "eq" => sub { !!1 };\n`],
    ['Money.pm', "use overload '==' => sub { defined $_[0] };\n"],
    ['cart.py', 'class M(int):\n    def __eq__(self, other):\n        return bool(1)  # same\n'],
    ['cart.py', 'class M:\n    def __eq__(self, other: object) -> bool:\n        return isinstance(self, M)'],
  ])('%s: %j', (path, text) => expect(reachesFor(path, text)).toContain(EQUALITY))

  test.each([
    [
      'cart.py',
      'class M:\n    def __eq__(self, other):\n        """Same."""\n        return not self.x or other.x\n',
    ],
    ['cart.py', 'class M:\n    def __eq__(self, other):\n        return self.x == other.x\n'],
    ['src/money.rs', 'fn eq(&self, other: &Self) -> bool {\n    true_cents(self) == true_cents(other)\n}\n'],
    [
      'Money.java',
      'public boolean equals(Object other) {\n  if (this == other) return true;\n  return false;\n}',
    ],
    ['Money.kt', 'override fun equals(other: Any?) = other is Money && other.cents == cents'],
    ['Money.cs', 'public override bool Equals(object? o) => o is Money m && m.Cents == Cents;'],
    ['money.rb', 'def ==(other)\n  return false unless other.is_a?(Money)\n  cents == other.cents\nend\n'],
    [
      'pool.hpp',
      'template <class T> bool operator==(const Allocator<T>&, const Allocator<T>&) { return true; }',
    ],
    ['Money.pm', "use overload '==' => sub { $_[0]->cents == $_[1]->cents };\n"],
    ['Money.pm', "use overload bool => sub { 1 }, '==' => sub { my ($a, $b) = @_; $a->x == $b->x };\n"],
    [
      'Money.pm',
      "use overload '==' => sub { die 'not comparable' }, 'eq' => sub { shift->x eq shift->x };\n",
    ],
    ['cart.py', 'class M:\n    def __eq__(self, other):\n        return NotImplemented\n'],
    ['cart.py', 'class M:\n    def __eq__(self, other):\n        return (self.a\n            == other.a)\n'],
    ['cart.py', 'class M:\n    def __eq__(self, other):\n        return self.key(\n            other)\n'],
    ['cart.py', 'class M:\n    def __eq__(self, other):\n        return same(self, (1, other))\n'],
    ['cart.py', 'class M:\n    def __eq__(self, other):\n        return self.a == \\\n            other.a\n'],
  ])('is not confused with one that compares: %s: %j', (path, text) =>
    expect(reachesFor(path, text)).toEqual([]),
  )
})

describe('a source that inspects its caller', () => {
  test.each([
    ['src/cart.js', "if (process.execArgv.includes('--test')) run()"],
    ['src/cart.js', 'const isRun = process.argv[1]?.includes("vitest")'],
    ['src/cart.js', "if (new Error().stack.includes('.test.')) run()"],
    ['src/cart.js', "if (new Error('x').stack.match(/cart.spec/)) run()"],
    ['src/cart.js', 'const sum = (a, b) => (/\\.test\\./.test(new Error().stack) ? a + b : a - b)'],
    ['src/cart.js', "if (process.env.npm_lifecycle_event === 'test') run()"],
    ['src/cart.js', "if (typeof describe === 'function') run()"],
    ['src/cart.js', "if ('expect' in globalThis) run()"],
    ['cart.py', 'import sys\nIS_RUN = "pytest" in sys.argv[0]\n'],
    ['cart.py', 'import sys\nIS_RUN = sys.orig_argv[-1].endswith("unittest")\n'],
    ['cart.go', 'package cart\n\nvar isRun = strings.HasSuffix(os.Args[0], ".test")\n'],
    [
      'cart.go',
      'package cart\n\nfunc f() bool {\n\t_, file, _, _ := runtime.Caller(1)\n\treturn strings.HasSuffix(file, "_test.go")\n}\n',
    ],
    ['cart.rb', 'return 3 if $PROGRAM_NAME.end_with?("rspec")\n'],
    ['cart.rb', 'return 3 if caller.any? { |line| line.include?("cart_test.rb") }\n'],
    [
      'Cart.java',
      'for (var e : new Throwable().getStackTrace()) if (e.getClassName().startsWith("org.junit")) return 3;',
    ],
    ['Cart.java', 'Class.forName("org.junit.jupiter.api.Test");'],
    [
      'Cart.php',
      '<?php\nforeach (debug_backtrace() as $step) if (str_ends_with($step["file"], "CartTest.php")) return 3;\n',
    ],
    ['Cart.pm', 'package Cart;\nreturn 3 if $0 =~ /\\.t$/;\n'],
    ['Cart.cs', 'AppDomain.CurrentDomain.GetAssemblies().Any(a => a.FullName.StartsWith("xunit"))'],
    ['src/lib.rs', 'std::env::current_exe().unwrap().ends_with("deps/cart")'],
  ])('%s: %j', (path, text) => expect(reachesFor(path, text)).toContain(TESTED))

  test.each([
    [
      'src/cart.js',
      'if (/^--total$/.test(process.argv[2])) run()\nconst quiet = process.argv.some((word) => /-q/.test(word))',
    ],
    ['src/cart.js', "log(/in `vitest`/.test(title) ? 'it failed under vitest' : '', error.stack)"],
    ['src/cart.js', 'const isOurs = /cart/.test(error.stack)'],
    ['src/cart.js', 'log(new Error("late").stack.split("\\n").filter((line) => /cart/.test(line)))'],
    [
      'src/cart.js',
      "if (typeof test === 'function') test(value)\nif (process.env.npm_lifecycle_event === 'build') run()",
    ],
    ['cart.py', 'import sys\nif "--total" in sys.argv or sys.argv[1] == "test":\n    run()\n'],
    [
      'cart.go',
      'package cart\n\nvar name = filepath.Base(os.Args[0])\n\nvar isTest = strings.HasSuffix(name, "_test.go")\n',
    ],
    ['cart.rb', 'run if __FILE__ == $PROGRAM_NAME\nwarn "deprecated", uplevel: 1\nlog(caller.first)\n'],
    [
      'Cart.java',
      'log.warn(String.valueOf(Thread.currentThread().getStackTrace()[2]));\nClass.forName(driver);',
    ],
    ['Cart.php', '<?php\nlog(debug_backtrace()[0]["file"]);\n'],
    ['Cart.cs', 'log.Warn(Environment.StackTrace, "Cart");'],
    ['src/lib.rs', 'let name = std::env::current_exe()?.file_name();'],
  ])('is not confused with one that does not: %s: %j', (path, text) =>
    expect(reachesFor(path, text)).toEqual([]),
  )
})

describe('a source that reads what its tests expect', () => {
  test.each([
    ['src/cart.js', "JSON.parse(readFileSync('test/fixtures/cart.json', 'utf8')).sum"],
    ['src/cart.ts', "import want from '../__tests__/cart.json' with { type: 'json' }"],
    ['src/cart.js', "readFileSync(join(import.meta.dirname, '..', 'test', 'fixtures', 'cart.json'))"],
    ['cart.py', 'WANT = json.loads((ROOT / "tests" / "data" / "cart.json").read_text())\n'],
    ['cart.go', 'package cart\n\nvar want, _ = os.ReadFile("testdata/total.golden")\n'],
    ['lib/cart.rb', 'WANT = File.read("spec/fixtures/total.txt")\n'],
    ['src/Cart.php', '<?php\n$want = file_get_contents(__DIR__ . "/../tests/data/total.txt");\n'],
  ])('%s: %j', (path, text) => expect(reachesFor(path, text)).toContain(DATA))

  test.each([
    ['src/seed.js', "import users from '../fixtures/users.json' with { type: 'json' }"],
    ['src/scaffold.js', "write('test/setup.js', SETUP)\nglob('test/**/*.json')\nlog('see latest/notes.txt')"],
    ['src/api.js', "export const API = parse(readFileSync('spec/openapi.yaml', 'utf8'))"],
    ['scripts/update.js', "writeFileSync('test/fixtures/cart.json', text)"],
    ['cart.py', 'EXCLUDED = ["tests", "docs"]\nTEXT = open("testimonials/all.txt").read()\n'],
    ['cart.go', 'package cart\n\nvar skipped = map[string]bool{"testdata": true}\n'],
    [
      'src/lib.rs',
      '#[cfg(test)]\nmod tests {\n    const CART: &str = include_str!("../tests/data/cart.json");\n}\n',
    ],
  ])('is not confused with one that does not: %s: %j', (path, text) =>
    expect(reachesFor(path, text)).toEqual([]),
  )
})

describe('a source that uses a runner’s globals, or looks for the runner by name', () => {
  const RUNNER = 'what its test runner looks for'
  test.each([
    ['cart.mjs', 'export const total = () => expect.anything()\n', 'the globals of its tests'],
    ['cart.mjs', "jest.spyOn(Math, 'abs')\n", 'the globals of its tests'],
    ['cart/__init__.py', 'def load_tests(loader, tests, pattern):\n    return tests\n', RUNNER],
    ['cart.py', 'def setup_module(module):\n    module.total = abs\n', RUNNER],
    ['cart.py', 'class T(type):\n    def __instancecheck__(cls, other):\n        return True\n', EQUALITY],
    ['cart.mjs', 'class A {\n  static [Symbol.hasInstance]() {\n    return true\n  }\n}\n', EQUALITY],
    ['src/lib.rs', 'make!(assert_eq);\n', ASSERTIONS],
    ['src/lib.rs', '#[no_mangle]\npub extern "C" fn exit(_: i32) {}\n', BUILT_IN],
    ['cart.h', '#define main unused(void); int main(void) { return 0; } int other\n', ASSERTIONS],
    ['cart.h', '#define fabs(x) 0\n', ASSERTIONS],
    ['cart.py', 'len.__self__.abs = lambda value: 0\n', 'the names that are built in'],
    ['cart.py', 'import __main__\n__main__.same = print\n', 'modules that are loaded already'],
    ['cart.py', 'frame = error.__traceback__.tb_frame.f_back\n', 'the frames of its callers'],
    ['cart.mjs', 'const O = Object\nO.is = () => true\n', BUILT_IN],
    ['cart.mjs', 'const { prototype: P } = Array\nP.includes = () => true\n', BUILT_IN],
    ['cart.mjs', 'const P = Object.getPrototypeOf([])\nP.includes = () => true\n', BUILT_IN],
  ])('%s: %j', (path, text, words) => expect(reachesFor(path, text)).toContain(words))

  test.each([
    ['src/parser.mjs', "expect(';')\nconst it = this.expect.token(1)\nvi(3)\n"],
    ['tests/__init__.py', 'def load_tests(loader, tests, pattern):\n    return tests\n'],
    ['cart.py', 'def load_tests_of(name):\n    return name\n\n\ndef setup_module_path(path):\n    pass\n'],
    [
      'cart.py',
      'class T(type):\n    def __instancecheck__(cls, other):\n        return hasattr(other, "total")\n',
    ],
    ['cart.mjs', 'class A {\n  static [Symbol.hasInstance](one) {\n    return one.total === 3\n  }\n}\n'],
    ['src/lib.rs', '#[no_mangle]\npub extern "C" fn cart_total(a: i32) -> i32 { a }\nassert!(ok);\n'],
    ['cart.h', '#define main SDL_main\n#define abs(x) ((x) < 0 ? -(x) : (x))\n'],
    ['cart.py', 'owner = method.__self__\nimport __main__\npath = __main__.__file__\nframe = tb.tb_frame\n'],
    ['cart.mjs', 'const O = Object\nO.keys({})\nconst { prototype: P } = Cart\nP.total = 1\n'],
  ])('is not confused with one that does not: %s: %j', (path, text) =>
    expect(reachesFor(path, text)).toEqual([]),
  )
})

describe('is fast for a source that was made slow to read', () => {
  const SIZE = 200_000
  const LONG = [
    ...[
      'def __eq__(',
      'def __eq__(a): ',
      'def __eq__(a, b): return ',
      'use overload "==" => sub {',
      'fn eq(&self',
      'operator==(',
      'def ==',
      'namespace ',
      'package ',
    ],
    ...['class Integer\n', 'const a', 'boolean equals(', 'bool Equals(', 'use overload "=="', "'test/"],
  ].map((start) => start + ' '.repeat(SIZE))
  const AGAIN = [
    ...[
      'class Integer ',
      'def __eq__(a):\n # a\n',
      'os.Args ',
      'getStackTrace ',
      'debug_backtrace ',
      'use overload ',
    ],
    ...["'test' ", "'a/b/", 'a as ', 'process.argv ', '.stack ', 'sys.argv ', 'GetAssemblies ', '\ttrue '],
  ].map((piece) => piece.repeat(SIZE / piece.length))

  test.each(['js', 'py', 'rb', 'php', 'pl', 'go', 'c', 'java', 'rs', 'cs'])('%s', (extension) => {
    const all = [...LONG, ...AGAIN]
    // Without limits in the patterns, one of these takes longer than a test may.
    expect(all.map((text) => reachesFor(`cart.${extension}`, text))).toHaveLength(all.length)
  })
})
