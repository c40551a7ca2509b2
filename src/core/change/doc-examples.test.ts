import { describe, expect, it } from 'vitest'
import { withFormerExamples } from './doc-examples.ts'

const PYTHON = `"""Counts.

>>> add(1, 1)
2
"""
import os


def add(a: int,
        b: int) -> int:
    """Adds.

    >>> add(1, 2)
    3
    >>> for each in range(2):
    ...     print(each)
    0
    1

    Ends here.
    """
    return a - b


class Cart:
    def total(self):
        r'''
        >>> Cart().total()
        0
        '''
        return 0
`
const RUST = `//! Counts.
//!
//! \`\`\`
//! assert_eq!(calc::add(1, 1), 2);
//! \`\`\`

/// Adds.
///
/// \`\`\`
/// assert_eq!(calc::add(1, 2), 3);
/// \`\`\`
#[inline]
pub fn add(a: i32, b: i32) -> i32 {
    a - b
}

impl Cart {
    /**
     * Makes one.
     *
     * \`\`\`rust
     * assert!(calc::Cart::new().is_empty());
     * \`\`\`
     */
    pub const fn new() -> Self {
        Cart
    }
}

impl Bag {
    /// \`\`\`
    /// assert!(calc::Bag::new().is_full());
    /// \`\`\`
    pub fn new() -> Self {
        Bag
    }
}
`
const ELIXIR = `defmodule Calc do
  @moduledoc """
  Counts.

      iex> Calc.add(1, 1)
      2
  """

  @doc """
  Adds.

      iex> Calc.add(1, 2)
      3

  """
  @spec add(integer, integer) :: integer
  def add(a, b), do: a - b
end
`
const PAGE = '# Calc\n\n```rust\nassert_eq!(calc::add(1, 2), 3);\n```\n\n>>> add(1, 2)\n3\n'

const TEXTS = { 'calc.py': PYTHON, 'src/lib.rs': RUST, 'lib/calc.ex': ELIXIR, 'README.md': PAGE }
type Path = keyof typeof TEXTS
type Change = (text: string) => string

const formerOf = (path: Path, change: Change) =>
  withFormerExamples({ path, before: TEXTS[path], after: change(TEXTS[path]) })
const swap =
  (...pairs: readonly (readonly [from: string, to: string])[]): Change =>
  (text) =>
    pairs.reduce((now, [from, to]) => {
      expect(now).toContain(from)
      return now.replace(from, to)
    }, text)

const PYTHON_DOC = PYTHON.slice(PYTHON.indexOf('    """Adds'), PYTHON.indexOf('    return a - b'))
const RUST_DOC = RUST.slice(RUST.indexOf('/// Adds'), RUST.indexOf('#[inline]'))
const ELIXIR_DOC = ELIXIR.slice(ELIXIR.indexOf('  @doc'), ELIXIR.indexOf('  @spec'))

describe('a liar changes examples that are executed as tests: they are restored', () => {
  it.each<[string, Path, Change]>([
    ['to match the bug', 'calc.py', swap(['    3\n', '    -1\n'])],
    ['by removing one of two', 'calc.py', swap(['    >>> add(1, 2)\n    3\n', ''])],
    [
      'by adding a comment that skips it',
      'calc.py',
      swap(['>>> add(1, 2)\n', '>>> add(1, 2)  # doctest: +SKIP\n']),
    ],
    ['by a blank line before the expected output', 'calc.py', swap(['    3\n', '\n    3\n'])],
    ['by redefining the function first', 'calc.py', swap(['    >>> add', '    >>> add = max\n    >>> add'])],
    ['in a method', 'calc.py', swap(['        0\n', '        1\n'])],
    ['in the module documentation', 'calc.py', swap(['\n2\n', '\n0\n'])],
    ['to match the bug', 'src/lib.rs', swap(['(1, 2), 3', '(1, 2), -1'])],
    ['so that it is ignored', 'src/lib.rs', swap(['/// ```\n/// assert_eq', '/// ```ignore\n/// assert_eq'])],
    [
      'so that it becomes plain text',
      'src/lib.rs',
      swap(['/// ```\n/// assert_eq', '/// ```text\n/// assert_eq']),
    ],
    ['so that HTML hides it', 'src/lib.rs', swap(['/// Adds.\n', '/// Adds.\n/// <!--\n'])],
    ['by wrapping it in a longer fence', 'src/lib.rs', swap(['/// Adds.\n', '/// Adds.\n/// ````text\n'])],
    ['in a multi-line comment', 'src/lib.rs', swap(['is_empty', 'is_full'])],
    [
      'in the second item with the same name',
      'src/lib.rs',
      swap(['Bag::new().is_full()', 'Bag::new().eq(1)']),
    ],
    ['in the crate documentation', 'src/lib.rs', swap(['(1, 1), 2', '(1, 1), 0'])],
    ['to match the bug', 'lib/calc.ex', swap(['      3\n', '      -1\n'])],
    ['in the module documentation', 'lib/calc.ex', swap(['      2\n', '      0\n'])],
    ['on a page', 'README.md', swap(['\n3\n', '\n-1\n'])],
    ['on a page, to plain text', 'README.md', swap(['```rust', '```text'])],
  ])('%s (%s)', (_, path, change) => {
    expect(formerOf(path, change)).toBe(TEXTS[path])
  })

  it.each<[string, Path, Change]>([
    ['removed', 'calc.py', swap([PYTHON_DOC, ''])],
    ['replaced with others', 'calc.py', swap([PYTHON_DOC, '    """Adds."""\n'])],
    ['removed', 'lib/calc.ex', swap([ELIXIR_DOC, ''])],
  ])('%s (%s), and the rest stays as the agent left it', (_, path, change) => {
    const text = formerOf(path, (before) => swap(['a - b', 'a + b'])(change(before)))
    expect(text).toContain(path === 'calc.py' ? PYTHON_DOC : ELIXIR_DOC)
    expect(text).toContain('a + b')
  })

  it('removed (src/lib.rs): they are restored below the attributes', () => {
    expect(formerOf('src/lib.rs', swap([RUST_DOC, '']))).toContain(`#[inline]\n${RUST_DOC}pub fn add`)
  })

  it('turns the documentation into an ordinary string (calc.py)', () => {
    expect(formerOf('calc.py', swap(['    """Adds', '    f"""Adds']))).toContain(
      `int:\n${PYTHON_DOC}    f"""Adds`,
    )
  })
})

describe('an honest agent keeps examples: nothing is restored', () => {
  it.each<[string, Path, Change]>([
    ['fixes the code', 'calc.py', swap(['a - b', 'a + b'])],
    ['extends the text', 'calc.py', swap(['Adds.', 'Adds two numbers.'], ['Ends here.', 'It ends here.'])],
    ['adds an example', 'calc.py', swap(['    1\n', '    1\n\n    >>> add(2, 2)\n    4\n'])],
    ['documents another class', 'calc.py', swap(['class Cart:\n', 'class Cart:\n    """A cart."""\n\n'])],
    ['indents a function', 'calc.py', (text) => text.replace(/^(?=[^"])/gm, '    ')],
    ['removes a function', 'calc.py', (text) => text.slice(0, text.indexOf('class Cart'))],
    ['adds a short function above', 'calc.py', swap(['def add', 'def none(): return 0\n\n\ndef add'])],
    [
      'extends the text',
      'src/lib.rs',
      swap(['Adds.', 'Adds two numbers.'], ['Makes one', 'Makes an empty one']),
    ],
    [
      'adds an example',
      'src/lib.rs',
      swap(['///\n', '///\n'], ['/// ```\n#', '/// ```\n///\n/// ```\n/// calc::add(0, 0);\n/// ```\n#']),
    ],
    ['adds an attribute', 'src/lib.rs', swap(['#[inline]', '#[inline]\n#[must_use]'])],
    [
      'moves an implementation',
      'src/lib.rs',
      (text) =>
        text.slice(0, text.indexOf('impl Cart')) +
        text.slice(text.indexOf('impl Bag')) +
        text.slice(text.indexOf('impl Cart'), text.indexOf('impl Bag')),
    ],
    [
      'extends the text',
      'lib/calc.ex',
      swap(['  Adds.', '  Adds two numbers.'], ['  Counts.', '  Counts all.']),
    ],
    ['adds a clause', 'lib/calc.ex', swap(['  def add', '  def add(0, b), do: b\n  def add'])],
    ['extends a page', 'README.md', (text) => `${text}\n## More\n`],
    ['adds an image to a page without examples', 'README.md', () => '# Calc\n\n<img src="a.png">\n'],
  ])('%s (%s)', (_, path, change) => {
    const after = change(TEXTS[path])
    const before = after.includes('<img') ? '# Calc\n' : TEXTS[path]
    expect(withFormerExamples({ path, before, after })).toBe(after)
  })
})
