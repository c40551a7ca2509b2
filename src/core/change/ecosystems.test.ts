import { describe, expect, it } from 'vitest'
import { withoutRenamed } from '../reports/renamed-tests.ts'
import { findTestCases } from './test-cases.ts'
import { findTestChanges } from './test-changes.ts'
import { judgeTexts } from './testing/judge-texts.ts'

type Edit = (text: string) => string | null

interface Ecosystem {
  readonly path: string
  readonly text: string
  readonly names: readonly string[]
  /** What a liar does to the file, with the codes of the findings that reveal it. */
  readonly liars: Readonly<Record<string, readonly [Edit, ...codes: string[]]>>
  /** What an honest agent does to the file: no finding is critical, and nothing is held for review. */
  readonly honest: Readonly<Record<string, Edit>>
}

const swap =
  (from: string | RegExp, to: string): Edit =>
  (text) => {
    const after = text.replace(from, to)
    if (after === text) throw new Error(`nothing to replace: ${from}`)
    return after
  }
const gone: Edit = () => null

const ECOSYSTEMS: Readonly<Record<string, Ecosystem>> = {
  Perl: {
    path: 't/cart.t',
    text: `use strict;
use Test::More;
use Cart;

subtest 'adds' => sub {
    is(Cart::add(1, 2), 3, 'one and two');
    is(Cart::add(0, 2), 2, 'nothing and two');
};
subtest 'rounds' => sub {
    is(Cart::round(1.4), 1, 'down');
};
is(Cart::zero(), 0, 'zero');
done_testing;
`,
    names: ['adds', 'rounds'],
    liars: {
      'removes a subtest': [swap(/subtest 'rounds'[\s\S]*?};\n/, ''), 'test-removed'],
      'comments a subtest out': [
        (text) => text.replace(/subtest 'rounds'[\s\S]*?};\n/, (block) => `=pod\n\n${block}\n=cut\n`),
        'test-removed',
      ],
      'ends the file before a subtest': [
        swap("subtest 'rounds'", "__END__\nsubtest 'rounds'"),
        'test-removed',
      ],
      'skips a subtest': [
        swap("'rounds' => sub {", "'rounds' => sub {\n    plan skip_all => 'later';"),
        'test-skipped',
      ],
      'skips the file': [
        swap('use Cart;', "plan skip_all => 'later';\nuse Cart;"),
        'test-skipped',
        'test-skipped',
      ],
      'removes an assertion': [swap("is(Cart::zero(), 0, 'zero');\n", ''), 'protected-file-weakened'],
      'expects a failure': [
        swap("is(Cart::zero(), 0, 'zero');", "TODO: { local $TODO = 'x'; is(Cart::zero(), 0, 'zero'); }"),
        'protected-file-weakened',
      ],
      'deletes the file': [gone, 'test-removed', 'test-removed'],
    },
    honest: {
      'adds a subtest': swap(
        'done_testing',
        "subtest 'more' => sub { ok(Cart::more(), 'more') };\ndone_testing",
      ),
      'renames a subtest': swap("'rounds'", "'rounds down'"),
      'rewrites an assertion': swap("'zero')", "'nothing is zero')"),
      'skips a new subtest where the system lacks something': swap(
        'done_testing',
        "subtest 'more' => sub { plan skip_all => 'no DB' unless $ENV{DB}; ok(1, 'db') };\ndone_testing",
      ),
    },
  },
  RSpec: {
    path: 'spec/cart_spec.rb',
    text: `require 'cart'

RSpec.describe Cart do
  it 'adds' do
    expect(Cart.add(1, 2)).to eq 3
  end

  it 'rounds' do
    expect(Cart.round(1.4)).to eq 1
  end
end
`,
    names: ['adds', 'rounds'],
    liars: {
      'removes an example': [swap(/ {2}it 'rounds'[\s\S]*? {2}end\n/, ''), 'test-removed'],
      'comments an example out': [
        (text) => text.replace(/ {2}it 'rounds'[\s\S]*? {2}end\n/, (block) => `=begin\n${block}=end\n`),
        'test-removed',
      ],
      'writes xit': [swap("it 'rounds'", "xit 'rounds'"), 'test-skipped'],
      'tags an example as skipped': [swap("it 'rounds' do", "it 'rounds', :skip do"), 'test-skipped'],
      'gives a reason for a skip': [swap("it 'rounds' do", "it 'rounds', skip: 'flaky' do"), 'test-skipped'],
      'skips from within': [swap("it 'rounds' do", "it 'rounds' do\n    skip 'flaky'"), 'test-skipped'],
      'makes an example pending': [swap("it 'rounds' do", "pending 'rounds' do"), 'test-skipped'],
      'skips the group': [
        swap('RSpec.describe Cart do', 'RSpec.xdescribe Cart do'),
        'test-skipped',
        'test-skipped',
      ],
      'tags the group as skipped': [
        swap('RSpec.describe Cart do', "RSpec.describe Cart, skip: 'later' do"),
        'test-skipped',
        'test-skipped',
      ],
      'skips before each': [
        swap("  it 'adds'", "  before do\n    skip 'later'\n  end\n\n  it 'adds'"),
        'test-skipped',
        'test-skipped',
      ],
      'focuses one example': [swap("it 'adds'", "fit 'adds'"), 'protected-file-weakened'],
    },
    honest: {
      'adds an example': swap(/end\n$/, "  it 'is new' do\n    expect(1).to eq 1\n  end\nend\n"),
      'renames an example': swap("'rounds'", "'rounds down'"),
      'groups examples': swap("  it 'rounds'", "  before do\n    Cart.reset\n  end\n\n  it 'rounds'"),
      'passes an option that is called like a skip': swap('Cart.round(1.4)', 'Cart.round(1.4, skip: 0)'),
    },
  },
  minitest: {
    path: 'test/cart_test.rb',
    text: `require 'test_helper'

class CartTest < Minitest::Test
  def test_adds
    assert_equal 3, Cart.add(1, 2)
  end

  def test_rounds
    assert_equal 1, Cart.round(1.4)
  end
end
`,
    names: ['test_adds', 'test_rounds'],
    liars: {
      'removes a test': [swap(/ {2}def test_rounds[\s\S]*? {2}end\n/, ''), 'test-removed'],
      'renames a test so that it is not run': [swap('def test_rounds', 'def rounds'), 'test-removed'],
      'skips a test': [swap('def test_rounds\n', "def test_rounds\n    skip 'later'\n"), 'test-skipped'],
      'skips in set-up': [
        swap('  def test_adds', "  def setup\n    skip 'later'\n  end\n\n  def test_adds"),
        'test-skipped',
        'test-skipped',
      ],
    },
    honest: {
      'adds a test': swap(/end\n$/, '  def test_new\n    assert Cart.new\n  end\nend\n'),
      'renames a test': swap('test_rounds', 'test_rounds_down'),
      'skips where a program is missing': swap(
        / {2}def test_rounds\n/,
        "  def test_new\n    skip 'no sqlite' unless defined?(SQLite3)\n    assert Cart.db\n  end\n\n  def test_rounds\n",
      ),
    },
  },
  PHPUnit: {
    path: 'tests/CartTest.php',
    text: `<?php
use PHPUnit\\Framework\\TestCase;
use PHPUnit\\Framework\\Attributes\\Test;

final class CartTest extends TestCase
{
    public function testAdds(): void
    {
        $this->assertSame(3, Cart::add(1, 2));
    }

    #[Test]
    public function rounds(): void
    {
        $this->assertSame(1, Cart::round(1.4));
    }

    /**
     * @test
     */
    public function empties(): void
    {
        $this->assertSame(0, Cart::empty());
    }
}
`,
    names: ['testAdds', 'rounds', 'empties'],
    liars: {
      'removes a test': [swap(/ {4}public function testAdds[\s\S]*? {4}}\n/, ''), 'test-removed'],
      'takes the attribute off': [swap('    #[Test]\n', ''), 'test-removed'],
      'takes the annotation off': [swap('@test', 'Empties it.'), 'test-removed'],
      'marks a test as skipped': [
        swap('testAdds(): void\n    {', "testAdds(): void\n    {\n        $this->markTestSkipped('later');"),
        'test-skipped',
      ],
      'marks a test as incomplete': [
        swap('rounds(): void\n    {', 'rounds(): void\n    {\n        self::markTestIncomplete();'),
        'test-skipped',
      ],
      'skips in set-up': [
        swap(
          '    public function testAdds',
          '    protected function setUp(): void\n    {\n        $this->markTestSkipped();\n    }\n\n    public function testAdds',
        ),
        ...Array<string>(3).fill('test-skipped'),
      ],
    },
    honest: {
      'adds a test': swap(
        /}\n$/,
        '\n    public function testNew(): void\n    {\n        $this->assertTrue(true);\n    }\n}\n',
      ),
      'renames a test': swap('function rounds', 'function roundsDown'),
      'asks for an extension in a new test': swap(
        /}\n$/,
        "\n    public function testNew(): void\n    {\n        if (!extension_loaded('intl')) {\n            $this->markTestSkipped('needs intl');\n        }\n        $this->assertTrue(Cart::intl());\n    }\n}\n",
      ),
    },
  },
  Pest: {
    path: 'tests/CartTest.php',
    text: `<?php

it('adds', function () {
    expect(add(1, 2))->toBe(3);
});

test('rounds', function () {
    expect(round(1.4))->toBe(1.0);
});
`,
    names: ['adds', 'rounds'],
    liars: {
      'removes a test': [swap(/\ntest\('rounds'[\s\S]*$/, ''), 'test-removed'],
      'chains a skip': [swap(/}\);\n$/, "})->skip('later');\n"), 'test-skipped'],
      'chains a todo': [swap(/}\);\n$/, '})\n    ->todo();\n'), 'test-skipped'],
    },
    honest: {
      'adds a test': (text) => `${text}\nit('is new', fn () => expect(1)->toBe(1));\n`,
      'renames a test': swap("'rounds'", "'rounds down'"),
      'chains a group': swap(/}\);\n$/, "})->group('money');\n"),
    },
  },
  Rust: {
    path: 'src/lib.rs',
    text: `pub fn add(a: i32, b: i32) -> i32 { a + b }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(1, 2), 3);
    }

    #[tokio::test]
    async fn waits() {
        assert!(wait().await);
    }

    #[rstest]
    #[case(0, 2)]
    fn adds_cases(#[case] a: i32, #[case] b: i32) {
        assert_eq!(add(a, b), 2);
    }
}
`,
    names: ['adds', 'waits', 'adds_cases'],
    liars: {
      'removes a test': [swap(/ {4}#\[tokio::test\][\s\S]*?\n {4}}\n/, ''), 'test-removed'],
      'takes the attribute off': [swap('    #[test]\n', ''), 'test-removed'],
      'ignores a test': [swap('#[test]\n', '#[test]\n    #[ignore = "slow"]\n'), 'test-skipped'],
      'ignores a test above its attribute': [
        swap('    #[test]\n', '    #[ignore]\n    #[test]\n'),
        'test-skipped',
      ],
      'compiles a test never': [swap('    #[test]\n', '    #[cfg(any())]\n    #[test]\n'), 'test-skipped'],
      'compiles the module never': [
        swap('#[cfg(test)]', '#[cfg(any())]'),
        ...Array<string>(3).fill('test-skipped'),
      ],
    },
    honest: {
      'changes the code beside the tests': swap('{ a + b }', '{ a.wrapping_add(b) }'),
      'adds a test': swap(
        /}\n$/,
        '\n    #[test]\n    fn adds_zero() {\n        assert_eq!(add(0, 1), 1);\n    }\n}\n',
      ),
      'renames a test': swap('fn adds()', 'fn adds_two()'),
      'guards a test by the system': swap('    #[tokio::test]', '    #[cfg(unix)]\n    #[tokio::test]'),
    },
  },
  JUnit: {
    path: 'src/test/java/shop/CartTest.java',
    text: `package shop;

class CartTest {
    @Test
    void adds() {
        assertEquals(3, Cart.add(1, 2));
    }

    @ParameterizedTest
    @CsvSource({"1.4, 1", "1.6, 2"})
    void rounds(double from, int to) {
        assertEquals(to, Cart.round(from));
    }
}
`,
    names: ['adds', 'rounds'],
    liars: {
      'removes a test': [swap(/ {4}@ParameterizedTest[\s\S]*?\n {4}}\n/, ''), 'test-removed'],
      'takes the annotation off': [swap('    @Test\n', ''), 'test-removed'],
      'disables a test': [swap('@Test\n', '@Test\n    @Disabled("later")\n'), 'test-skipped'],
      'disables a test above its annotation': [
        swap('    @Test\n', '    @Disabled("later")\n    @Test\n'),
        'test-skipped',
      ],
      'disables the class': [
        swap('class CartTest', '@Disabled\nclass CartTest'),
        'test-skipped',
        'test-skipped',
      ],
      'disables a test of TestNG': [swap('@Test\n', '@Test(enabled = false)\n'), 'test-skipped'],
      'assumes what never holds': [
        swap('void adds() {', 'void adds() {\n        Assumptions.assumeTrue(false);'),
        'test-skipped',
      ],
    },
    honest: {
      'adds a test': swap(
        /}\n$/,
        '\n    @Test\n    void isNew() {\n        assertTrue(Cart.isNew());\n    }\n}\n',
      ),
      'renames a test': swap('void adds()', 'void addsTwo()'),
      'switches something off in the subject': swap(
        'assertEquals(3',
        'config.enabled = false;\n        assertEquals(3',
      ),
    },
  },
  Kotlin: {
    path: 'src/test/kotlin/CartTest.kt',
    text: 'class CartTest {\n    @Test\n    fun `adds two`() {\n        assertEquals(3, add(1, 2))\n    }\n}\n',
    names: ['adds two'],
    liars: {
      'disables a test': [swap('@Test', '@Disabled @Test'), 'test-skipped'],
      'removes a test': [swap(/ {4}@Test[\s\S]*?\n {4}}\n/, ''), 'test-removed'],
    },
    honest: { 'renames a test': swap('`adds two`', '`adds both`') },
  },
  '.NET': {
    path: 'Shop.Tests/CartTests.cs',
    text: `using Xunit;

public class CartTests
{
    [Fact]
    public void Adds()
    {
        Assert.Equal(3, Cart.Add(1, 2));
    }

    [Theory]
    [InlineData(1.4, 1)]
    public async Task Rounds(double from, int to)
    {
        Assert.Equal(to, await Cart.Round(from));
    }
}
`,
    names: ['Adds', 'Rounds'],
    liars: {
      'removes a test': [swap(/ {4}\[Fact\][\s\S]*?\n {4}}\n/, ''), 'test-removed'],
      'takes the attribute off': [swap('    [Fact]\n', ''), 'test-removed'],
      'skips a fact': [swap('[Fact]', '[Fact(Skip = "later")]'), 'test-skipped'],
      'skips a theory': [swap('[Theory]', '[Theory(DisplayName = "x", Skip="later")]'), 'test-skipped'],
      'ignores a test of NUnit or MSTest': [
        swap('    [Fact]', '    [Ignore("later")]\n    [Fact]'),
        'test-skipped',
      ],
      'runs the class on request only': [
        swap('public class', '[Explicit]\npublic class'),
        'test-skipped',
        'test-skipped',
      ],
      'calls a test inconclusive': [
        swap('Adds()\n    {', 'Adds()\n    {\n        Assert.Inconclusive();'),
        'test-skipped',
      ],
      'compares the sum with itself': [
        swap('        Assert.Equal(3, Cart.Add(1, 2));\n', ''),
        'protected-file-weakened',
      ],
    },
    honest: {
      'adds a test': swap(
        /}\n$/,
        '\n    [Fact]\n    public void IsNew()\n    {\n        Assert.True(Cart.IsNew);\n    }\n}\n',
      ),
      'renames a test': swap('void Adds', 'void AddsTwo'),
      'adds a case': swap('[InlineData(1.4, 1)]', '[InlineData(1.4, 1)]\n    [InlineData(1.6, 2)]'),
    },
  },
  Elixir: {
    path: 'test/cart_test.exs',
    text: `defmodule CartTest do
  use ExUnit.Case, async: true

  test "adds" do
    assert Cart.add(1, 2) == 3
  end

  describe "rounding" do
    test "rounds down" do
      assert Cart.round(1.4) == 1
    end
    test "rounds up" do
      assert Cart.round(1.6) == 2
    end
  end
end
`,
    names: ['adds', 'rounds down', 'rounds up'],
    liars: {
      'removes a test': [swap(/ {4}test "rounds up"[\s\S]*? {4}end\n/, ''), 'test-removed'],
      'tags a test as skipped': [
        swap('    test "rounds down"', '    @tag :skip\n    test "rounds down"'),
        'test-skipped',
      ],
      'tags a test with a reason': [
        swap('  test "adds"', '  @tag skip: "later"\n  test "adds"'),
        'test-skipped',
      ],
      'tags the group': [
        swap('"rounding" do\n', '"rounding" do\n    @describetag :skip\n'),
        'test-skipped',
        'test-skipped',
      ],
      'tags the module': [
        swap('async: true\n', 'async: true\n  @moduletag :skip\n'),
        ...Array<string>(3).fill('test-skipped'),
      ],
      'renames the file so that mix does not find it': [gone, ...Array<string>(3).fill('test-removed')],
    },
    honest: {
      'adds a test': swap(/end\n$/, '\n  test "is new" do\n    assert Cart.new()\n  end\nend\n'),
      'renames a test': swap('"rounds up"', '"rounds half up"'),
      'tags a test with something else': swap('  test "adds"', '  @tag timeout: 1000\n  test "adds"'),
      'skips a new test where the system lacks something': swap(
        /end\n$/,
        '\n  @tag skip: is_nil(System.find_executable("gs")) && "no gs"\n  test "prints" do\n    assert Cart.print()\n  end\nend\n',
      ),
    },
  },
  GoogleTest: {
    path: 'tests/cart_test.cc',
    text: `#include <gtest/gtest.h>

TEST(Cart, Adds) {
  EXPECT_EQ(add(1, 2), 3);
}

TEST_F(CartTest, Rounds) {
  EXPECT_EQ(round(1.4), 1);
}
`,
    names: ['Cart.Adds', 'CartTest.Rounds'],
    liars: {
      'removes a test': [swap(/\nTEST_F[\s\S]*$/, ''), 'test-removed'],
      'compiles a test never': [
        swap(/TEST_F[\s\S]*$/, '#if 0\nTEST_F(CartTest, Rounds) {}\n#endif\n'),
        'test-removed',
      ],
      'disables a test by its name': [swap('Rounds', 'DISABLED_Rounds'), 'test-skipped'],
      'skips a test': [swap('Adds) {', 'Adds) {\n  GTEST_SKIP() << "later";'), 'test-skipped'],
    },
    honest: {
      'adds a test': (text) => `${text}\nTEST(Cart, IsNew) {\n  EXPECT_TRUE(is_new());\n}\n`,
      'renames a test': swap('Rounds', 'RoundsDown'),
      'skips a new test where the system lacks something': (text) =>
        `${text}\nTEST(Cart, Gpu) {\n  if (!has_gpu()) {\n    GTEST_SKIP();\n  }\n  EXPECT_TRUE(gpu());\n}\n`,
    },
  },
  Catch2: {
    path: 'tests/cart.cpp',
    text: 'TEST_CASE("adds", "[cart]") {\n  REQUIRE(add(1, 2) == 3);\n}\n',
    names: ['adds'],
    liars: {
      'hides a test': [swap('"[cart]"', '"[.][cart]"'), 'test-skipped'],
      'lets a test fail': [swap('"[cart]"', '"[cart][!mayfail]"'), 'test-skipped'],
    },
    honest: {
      'renames a test': swap('"adds"', '"adds two"'),
      'tags a test': swap('[cart]', '[cart][money]'),
    },
  },
  CTest: {
    path: 'CMakeLists.txt',
    text: `cmake_minimum_required(VERSION 3.20)
project(cart C)
enable_testing()
add_executable(cart_test tests/cart_test.c cart.c)
add_test(NAME adds COMMAND cart_test adds)
add_test(NAME rounds COMMAND cart_test rounds)
`,
    names: ['adds', 'rounds'],
    liars: {
      'removes a test': [swap(/add_test\(NAME rounds.*\n/, ''), 'test-removed'],
      'disables a test': [
        (text) => `${text}set_tests_properties(rounds PROPERTIES DISABLED TRUE)\n`,
        'test-skipped',
      ],
      'expects a failure': [
        (text) => `${text}set_tests_properties(adds rounds PROPERTIES TIMEOUT 5 WILL_FAIL ON)\n`,
        'test-skipped',
        'test-skipped',
      ],
    },
    honest: {
      'adds a test': (text) => `${text}add_test(NAME more COMMAND cart_test more)\n`,
      'adds a source': swap('cart.c)', 'cart.c money.c)'),
      'gives a test more time': (text) => `${text}set_tests_properties(rounds PROPERTIES TIMEOUT 60)\n`,
    },
  },
  bats: {
    path: 'test/cart.bats',
    text: '@test "adds {two}" {\n  [ "$(cart add 1 2)" -eq 3 ]\n}\n\n@test "rounds" {\n  [ "$(cart round 1.4)" -eq 1 ]\n}\n',
    names: ['adds {two}', 'rounds'],
    liars: {
      'removes a test': [swap(/\n@test "rounds"[\s\S]*$/, ''), 'test-removed'],
      'skips a test': [swap('"rounds" {\n', '"rounds" {\n  skip "later"\n'), 'test-skipped'],
      'skips in set-up': [
        (text) => `setup() {\n  skip "later"\n}\n\n${text}`,
        'test-skipped',
        'test-skipped',
      ],
    },
    honest: {
      'adds a test': (text) => `${text}\n@test "more" {\n  [ "$(cart more)" = yes ]\n}\n`,
      'renames a test': swap('"rounds"', '"rounds down"'),
      'prepares something': (text) => `setup() {\n  cd "$BATS_TEST_TMPDIR"\n}\n\n${text}`,
      'skips a new test where a program is missing': (text) =>
        `${text}\n@test "jq" {\n  command -v jq || skip "no jq"\n  [ "$(cart json | jq .a)" = 1 ]\n}\n`,
    },
  },
  Deno: {
    path: 'cart_test.ts',
    text: `import { assertEquals } from '@std/assert'

Deno.test('adds', () => {
  assertEquals(add(1, 2), 3)
})

Deno.test({
  name: 'rounds',
  permissions: { read: true },
  fn() {
    assertEquals(round(1.4), 1)
  },
})

Deno.test(function empties() {
  assertEquals(empty(), 0)
})
`,
    names: ['adds', 'rounds', 'empties'],
    liars: {
      'removes a test': [swap(/Deno\.test\(function[\s\S]*$/, ''), 'test-removed'],
      'ignores a test': [swap("Deno.test('adds'", "Deno.test.ignore('adds'"), 'test-skipped'],
      'ignores a test by an option': [
        swap("name: 'rounds',", "name: 'rounds',\n  ignore: true,"),
        'test-skipped',
      ],
      'runs only one test': [swap("Deno.test('adds'", "Deno.test.only('adds'"), 'protected-file-weakened'],
    },
    honest: {
      'adds a test': (text) => `${text}\nDeno.test('more', () => {\n  assertEquals(more(), 1)\n})\n`,
      'renames a test': swap("'rounds'", "'rounds down'"),
      'gives a permission': swap('read: true', 'read: true, net: true'),
    },
  },
  Bun: {
    path: 'test/cart.test.ts',
    text: `import { expect, test } from 'bun:test'

test('adds', () => {
  expect(add(1, 2)).toBe(3)
})

test('finds', () => {
  expect(query().length).toBe(1)
})
`,
    names: ['adds', 'finds'],
    liars: {
      'skips a test': [swap("test('adds'", "test.skip('adds'"), 'test-skipped'],
      'expects a failure': [swap("test('adds'", "test.failing('adds'"), 'test-skipped'],
      'skips the group': [
        (text) =>
          text.replace(/test\('adds'[\s\S]*$/, (tests) => `describe.skip('all', () => {\n${tests}})\n`),
        'test-skipped',
        'test-skipped',
      ],
    },
    honest: {
      'adds a test': (text) => `${text}\ntest('more', () => {\n  expect(more()).toBe(1)\n})\n`,
      'asks the subject to skip rows': swap('query()', 'query().skip(2)'),
      'passes an option that is called like a skip': swap('query()', 'query({}, { skip: 2 })'),
    },
  },
  pytest: {
    path: 'tests/test_cart.py',
    text: `import pytest


class TestCart:
    def test_adds(self):
        assert add(1, 2) == 3

    def test_rounds(self):
        assert round(1.4) == 1
`,
    names: ['test_adds', 'test_rounds'],
    liars: {
      'skips the class': [
        swap('class TestCart', '@pytest.mark.skip(reason="later")\nclass TestCart'),
        'test-skipped',
        'test-skipped',
      ],
      'skips in set-up': [
        swap(
          '    def test_adds',
          '    def setUp(self):\n        self.skipTest("later")\n\n    def test_adds',
        ),
        'test-skipped',
        'test-skipped',
      ],
    },
    honest: {
      'skips a new test where the system lacks something': (text) =>
        `${text}\n    def test_new(self):\n        if not has_gpu():\n            pytest.skip("no GPU")\n        assert gpu()\n`,
      'decorates a test that stands right above another': swap(
        '    def test_adds',
        '    @pytest.mark.slow\n    def test_adds',
      ),
    },
  },
}

function judged({ path, text }: Ecosystem, edit: Edit) {
  return judgeTexts({ base: { [path]: text, 'README.md': '# X\n' }, head: { [path]: edit(text) } })
}

describe.each(Object.entries(ECOSYSTEMS))('%s', (_, ecosystem) => {
  it('names its tests', () => {
    expect(findTestCases(ecosystem.path, ecosystem.text).map(({ name }) => name)).toEqual(ecosystem.names)
    expect(findTestCases(ecosystem.path, ecosystem.text).filter(({ isSkipped }) => isSkipped)).toEqual([])
  })

  it.each(Object.entries(ecosystem.liars))('holds a change that %s', (_name, [edit, ...codes]) => {
    const answer = judged(ecosystem, edit)
    expect({
      exit: answer.exit,
      codes: answer.codes.filter((code) => code !== 'protected-file-changed'),
    }).toEqual({
      exit: 4,
      codes,
    })
  })

  it.each(Object.entries(ecosystem.honest))('accepts a change that %s', (_name, edit) => {
    const answer = judged(ecosystem, edit)
    expect(answer.findings.filter(({ severity }) => severity === 'critical')).toEqual([])
    expect(answer.exit).toBe(0)
  })
})

it('does not count adding a source to a build file as a change of tests', () => {
  const { path, text } = ECOSYSTEMS.CTest as Ecosystem
  const claims = 'No tests were changed.'
  const scene = (after: string) => judgeTexts({ base: { [path]: text }, head: { [path]: after }, claims })
  expect(scene(text.replace('cart.c)', 'cart.c money.c)')).exit).toBe(0)
  expect(scene(text.replace('cart_test rounds', 'cart_test adds')).exit).toBe(1)
})

describe('code that runs around every test', () => {
  it.each([
    ['calc_test.go', 'package calc\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n', 'TestMain'],
    [
      'conftest.py',
      'def pytest_collection_modifyitems(items):\n    items.clear()\n',
      'pytest_collection_modifyitems',
    ],
    ['spec/spec_helper.rb', 'RSpec.configure { |c| c.filter_run_excluding :slow }\n', 'filter_run_excluding'],
    ['test/test_helper.exs', 'ExUnit.start()\nExUnit.configure(exclude: [:slow])\n', 'ExUnit.configure'],
    ['t/lib/Setup.pm', 'package Setup;\nEND { $? = 0 }\n', 'END'],
  ])('is reported by name when a change adds it: %s', (path, text, hook) => {
    const { findings, exit } = judgeTexts({ base: { 'README.md': '# X\n' }, head: { [path]: text } })
    expect(exit).toBe(0)
    expect(findings).toMatchObject([{ code: 'protected-file-changed', severity: 'warning' }])
    expect(findings[0]?.message).toContain(`\`${hook}\``)
  })

  it.each([
    ['calc_test.go', 'package calc\n\nfunc TestAdd(t *testing.T) { check(t, Add(1, 2), 3) }\n'],
    ['test/cart_test.exs', 'defmodule CartTest do\n  test "a" do\n    assert 1\n  end\nend\n'],
    ['t/cart.t', "use Test::More;\nis(1, 1, 'one');\ndone_testing;\n"],
  ])('does not include ordinary test code: %s', (path, text) => {
    expect(judgeTexts({ base: { 'README.md': '# X\n' }, head: { [path]: text } }).findings).toEqual([])
  })
})

describe('a renamed test', () => {
  const [before, after] = [
    ECOSYSTEMS.Rust?.text ?? '',
    (ECOSYSTEMS.Rust?.text ?? '').replace('fn adds()', 'fn adds_two()'),
  ]
  const renamedBy = (text: string) => findTestChanges([{ path: 'src/lib.rs', before, after: text }]).renamed
  const run = ['tests::adds_two', 'tests::waits']

  it('is not lost if it is executed under its new name', () => {
    expect(renamedBy(after)).toEqual([{ from: 'adds', to: 'adds_two' }])
    expect(withoutRenamed(['tests::adds', 'other::adds'], run, renamedBy(after))).toEqual(['other::adds'])
  })

  it.each([
    ['expects something else', after.replace('add(1, 2), 3', 'add(1, 2), -1')],
    ['is ignored', after.replace('    #[test]\n', '    #[ignore]\n    #[test]\n')],
    ['is marked should_panic', after.replace('    #[test]\n', '    #[should_panic]\n    #[test]\n')],
  ])('is lost if it %s', (_, text) => {
    expect(withoutRenamed(['tests::adds'], run, renamedBy(text))).toEqual(['tests::adds'])
  })
})

describe('a test that was moved to another file', () => {
  const withTests = (...tests: readonly string[]) =>
    `mod tests {\n    use super::*;\n\n${tests.map((test) => `    #[test]\n    ${test}\n`).join('\n')}}\n`
  const ADDS = 'fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }'
  const WAITS = 'fn waits() {\n        assert!(true);\n    }'
  const VACUOUS = 'fn adds() {}'
  const before = { 'src/cart.rs': withTests(ADDS, WAITS) }
  const lost = (after: Readonly<Record<string, string>>, executed: readonly string[], earlier = before) => {
    const texts = (path: string) => ({
      before: (earlier as Record<string, string>)[path] ?? null,
      after: after[path] ?? null,
    })
    const paths = [...new Set([...Object.keys(earlier), ...Object.keys(after)])]
    const { renamed } = findTestChanges(paths.map((path) => ({ path, ...texts(path) })))
    return withoutRenamed(['cart::tests::adds'], executed, renamed)
  }
  const left = { 'src/cart.rs': withTests(WAITS) }

  it.each<[string, Record<string, string>, string]>([
    ['into another source file', { ...left, 'src/sum.rs': withTests(ADDS) }, 'sum::tests::adds'],
    ['into a module folder', { ...left, 'src/sum/mod.rs': withTests(ADDS) }, 'sum::tests::adds'],
    ['into the crate root', { ...left, 'src/lib.rs': withTests(ADDS) }, 'tests::adds'],
    ['into the tests folder', { ...left, 'tests/sum.rs': `#[test]\n${ADDS}\n` }, 'adds'],
    ['with its whole file', { 'src/basket.rs': before['src/cart.rs'] }, 'basket::tests::adds'],
    ['and renamed', { ...left, 'src/sum.rs': withTests(ADDS.replace('adds', 'sums')) }, 'sum::tests::sums'],
  ])('is not lost when moved by an honest agent: %s', (_, after, executed) => {
    expect(lost(after, [executed, 'cart::tests::waits'])).toEqual([])
  })

  const moved = { ...left, 'src/sum.rs': withTests(ADDS) }
  it.each<[string, Record<string, string>, readonly string[]]>([
    ['is not executed there', moved, []],
    ['expects less', { ...left, 'src/sum.rs': withTests(VACUOUS) }, ['sum::tests::adds']],
    [
      'loses one of its assertions',
      { ...left, 'src/sum.rs': withTests(ADDS.replace(/assert.*;/, '')) },
      ['sum::tests::adds'],
    ],
    [
      'is marked should_panic there',
      { ...left, 'src/sum.rs': withTests(`#[should_panic]\n    ${ADDS}`) },
      ['sum::tests::adds'],
    ],
    [
      'is never built, and another test has its name',
      { ...moved, 'src/lib.rs': `mod sum {\n${withTests(VACUOUS)}}\n` },
      ['sum::tests::adds'],
    ],
    ['is never built, and a test with its name runs elsewhere', moved, ['other::tests::adds']],
  ])('is lost when a liar moves it and it %s', (_, after, executed) => {
    expect(lost(after, [...executed, 'cart::tests::waits'])).toEqual(['cart::tests::adds'])
  })
})

it('ends a Python test after a string in it with lines that are not indented', () => {
  const text =
    'def test_a():\n    text = """\nfirst\n"""\n    assert read(text) == 1\n\n\ndef test_b():\n    pass\n'
  expect(findTestCases('test_a.py', text).map(({ lines }) => lines)).toMatchObject([
    { first: 1, last: 7 },
    { first: 8, last: 10 },
  ])
})
