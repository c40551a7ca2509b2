/** A pattern in a source's text that shows what the source reaches for. */
export interface Sign {
  /**
   * Which sources it applies to; if omitted, to all. `modules` are not programs (`#!`, a main function); `libraries` don't
   * have a program's name or folder either; `loaded` are known to be loaded by a check or a library; `product` have no tests
   * in their path; `shipped` don't have any other word for test helpers or component demos there either.
   */
  readonly of?: 'modules' | 'libraries' | 'loaded' | 'product' | 'shipped'
  /** Searched for outside of literals and comments. */
  readonly isInCode?: true
  readonly pattern: RegExp
  /** What it reaches for, in words; `$1` is what the pattern captured. */
  readonly words: string
}
