/** A pattern in a source's text that shows what the source reaches for. */
export interface Sign {
  /**
   * Which sources it applies to; if omitted, to all. `modules` are not programs (`#!`, a main function), `libraries` don't have the name or
   * the place of one either, `loaded` are known to be loaded by a check or a library, and `product` have no tests in
   * their path, `shipped` no other word there for what helps tests or shows components either.
   */
  readonly of?: 'modules' | 'libraries' | 'loaded' | 'product' | 'shipped'
  /** Searched for outside of literals and comments. */
  readonly isInCode?: true
  readonly pattern: RegExp
  /** What it reaches for, in words; `$1` is what the pattern caught. */
  readonly words: string
}
