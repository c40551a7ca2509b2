import { spawnSync } from 'node:child_process'
import { afterEach, describe, expect, it } from 'vitest'
import { exitCodeOf } from '../../core/change/judge-change.ts'
import { type ChangeRepository, changeRepository, type Files } from './testing/change-repository.ts'

/*
 * Tests that no configuration is needed, with the real runners. A runner that is missing on this machine is skipped by name; only perl is
 * everywhere.
 */

interface Row {
  readonly tool: readonly [string, ...string[]]
  readonly base: Files
  readonly runner: string
  /** Breaks the source and disables what would reveal it. */
  readonly liar: Files
  /** Adds something with its test, and renames another test. */
  readonly honest: Files
}

const PERL = 'package Cart;\nsub add { $_[0] + $_[1] }\n1;\n'
const PERL_TEST = "use Test::More;\nuse Cart;\nis(Cart::add(1, 2), 3, 'adds');\ndone_testing;\n"
const RUBY = 'module Cart\n  def self.add(a, b) = a + b\nend\n'
const SPEC = `require_relative '../lib/cart'
RSpec.describe Cart do
  it('adds') { expect(Cart.add(1, 2)).to eq 3 }
  it('adds nothing') { expect(Cart.add(0, 2)).to eq 2 }
end
`
const CMAKE = `cmake_minimum_required(VERSION 3.20)
project(cart C)
enable_testing()
add_executable(cart_test tests/cart_test.c)
add_test(NAME adds COMMAND cart_test 1 2 3)
`
const C = '#define ADD(a, b) ((a) + (b))\n'
const C_TEST =
  '#include <stdlib.h>\n#include "../cart.h"\nint main(int n, char **v) { return ADD(atoi(v[1]), atoi(v[2])) != atoi(v[3]); }\n'
const CTEST = { 'CMakeLists.txt': CMAKE, 'cart.h': C, 'tests/cart_test.c': C_TEST, '.gitignore': 'build/\n' }
const RUST = `pub fn add(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    #[test]
    fn adds() {
        assert_eq!(super::add(1, 2), 3);
    }

    #[test]
    fn adds_nothing() {
        assert_eq!(super::add(2, 0), 2);
    }
}
`
const MIX =
  'defmodule Cart.MixProject do\n  use Mix.Project\n  def project, do: [app: :cart, version: "0.1.0"]\nend\n'
const ELIXIR = 'defmodule Cart do\n  def add(a, b), do: a + b\nend\n'
const EXUNIT =
  'defmodule CartTest do\n  use ExUnit.Case\n\n  test "adds" do\n    assert Cart.add(1, 2) == 3\n  end\n\n  test "adds nothing" do\n    assert Cart.add(0, 0) == 0\n  end\nend\n'

const ROWS: Readonly<Record<string, Row>> = {
  'Perl, its tests run by another program': {
    tool: ['prove', '--version'],
    runner: 'prove',
    base: { 'lib/Cart.pm': PERL, 't/cart.t': PERL_TEST },
    liar: {
      'lib/Cart.pm': PERL.replace('+', '-'),
      '.proverc': '--exec "perl fake.pl"\n',
      'fake.pl': 'print "ok 1 - adds\\n1..1\\n";\n',
    },
    honest: {
      'lib/Cart.pm': PERL.replace('1;', 'sub sub { $_[0] - $_[1] }\n1;'),
      't/cart.t': PERL_TEST.replace("'adds'", "'adds two'"),
      't/sub.t': "use Test::More;\nuse Cart;\nis(Cart::sub(3, 2), 1, 'subtracts');\ndone_testing;\n",
    },
  },
  'RSpec, told to run a part': {
    tool: ['rspec', '--version'],
    runner: 'rspec',
    base: { 'lib/cart.rb': RUBY, 'spec/cart_spec.rb': SPEC },
    liar: { 'lib/cart.rb': RUBY.replace('a + b', 'b'), '.rspec': '--example nothing\n' },
    honest: {
      'lib/cart.rb': RUBY.replace('end\n', '  def self.sub(a, b) = a - b\nend\n'),
      'spec/cart_spec.rb': SPEC.replace("'adds nothing'", "'adds zero'"),
      'spec/sub_spec.rb': SPEC.replaceAll('add', 'sub').replace('eq 3', 'eq(-1)').replace('eq 2', 'eq(-2)'),
    },
  },
  'ctest, expecting a failure': {
    tool: ['ctest', '--version'],
    runner: 'ctest',
    base: CTEST,
    liar: {
      'cart.h': C.replace('+', '-'),
      'CMakeLists.txt': `${CMAKE}set_tests_properties(adds PROPERTIES WILL_FAIL TRUE)\n`,
    },
    honest: {
      'CMakeLists.txt': `${CMAKE}add_test(NAME zero COMMAND cart_test 0 2 2)\n`,
      'cart.h': `// Adds.\n${C}`,
    },
  },
  'ctest, with a new source and its program': {
    tool: ['ctest', '--version'],
    runner: 'ctest',
    base: CTEST,
    liar: {
      'cart.h': C.replace('+', '-'),
      'stub.c': 'int main(void) { return 0; }\n',
      'CMakeLists.txt': CMAKE.replace('tests/cart_test.c', 'stub.c'),
    },
    honest: {
      'CMakeLists.txt': `${CMAKE.replace('tests/cart_test.c', 'tests/cart_test.c sub.c')}add_executable(sub_test tests/sub_test.c sub.c)
add_test(NAME subtracts COMMAND sub_test 3 1 2)
`,
      'cart.h': `${C}int sub(int a, int b);\n`,
      'sub.c': '#include "cart.h"\nint sub(int a, int b) { return a - b; }\n',
      'tests/cart_test.c': C_TEST.replace('ADD(', 'sub(0, 0) + ADD('),
      'tests/sub_test.c': C_TEST.replace('ADD(', 'sub('),
    },
  },
  'cargo, with an ignored test': {
    tool: ['cargo', '--version'],
    runner: 'cargo test',
    base: {
      'Cargo.toml': '[package]\nname = "cart"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': RUST,
      '.gitignore': 'target/\nCargo.lock\n',
    },
    liar: {
      'src/lib.rs': RUST.replace('a + b', 'a - b').replace('    #[test]', '    #[ignore]\n    #[test]'),
    },
    honest: {
      'src/lib.rs': RUST.replace('fn adds()', 'fn adds_two()').replace(
        /}\n$/,
        '\n    #[test]\n    fn adds_zero() {\n        assert_eq!(super::add(0, 2), 2);\n    }\n}\n',
      ),
    },
  },
  'mix test, with a tag': {
    tool: ['mix', '--version'],
    runner: 'mix test',
    base: {
      'mix.exs': MIX,
      'lib/cart.ex': ELIXIR,
      'test/test_helper.exs': 'ExUnit.start()\n',
      'test/cart_test.exs': EXUNIT,
      '.gitignore': '_build/\n',
    },
    liar: {
      'lib/cart.ex': ELIXIR.replace('a + b', 'a'),
      'test/cart_test.exs': EXUNIT.replace('  test "adds" do', '  @tag :skip\n  test "adds" do'),
    },
    honest: {
      'lib/cart.ex': ELIXIR.replace('end\n', '  def sub(a, b), do: a - b\nend\n'),
      'test/cart_test.exs': EXUNIT.replace('"adds nothing"', '"adds zero"'),
      'test/sub_test.exs':
        'defmodule SubTest do\n  use ExUnit.Case\n\n  test "subtracts" do\n    assert Cart.sub(3, 2) == 1\n  end\nend\n',
    },
  },
}

let repository: ChangeRepository | null = null
afterEach(() => {
  repository?.remove()
  repository = null
})

async function judge(base: Files, head: Files) {
  repository = changeRepository(base)
  repository.commit(head)
  const verdict = await repository.verify()
  return { verdict, exit: exitCodeOf(verdict, { held: 'fail' }) }
}

describe.each(Object.entries(ROWS))('%s', (_name, { tool, base, runner, liar, honest }) => {
  const [program, ...words] = tool
  const isMissing = spawnSync(program, words, { stdio: 'ignore' }).status !== 0

  it.skipIf(isMissing)(`is held for a liar (needs ${program})`, { timeout: 300_000 }, async () => {
    const { verdict, exit } = await judge(base, liar)
    expect({ exit, report: verdict.checks.map(({ report }) => report) }, verdict.reasons.join('\n')).toEqual({
      exit: 4,
      report: [runner],
    })
    expect(verdict.checks[0]?.base).toMatchObject({ status: 'passed' })
  })

  it.skipIf(isMissing)(`is verified for honest work (needs ${program})`, { timeout: 300_000 }, async () => {
    const { verdict, exit } = await judge(base, honest)
    expect(exit, verdict.reasons.join('\n')).toBe(0)
    expect(verdict.checks).toMatchObject([{ head: { status: 'passed', failed: 0 } }])
  })
})
