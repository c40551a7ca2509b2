/** A pattern in a source's text that shows what the source reaches for. */
export interface Sign {
  /**
   * Said of whom, where it is not said of all: `modules` are no programs (`#!`, a main function), `libraries` are not called or placed like
   * one either, and `loaded` is what a check or a library is known to load. `product`: its path does not speak of tests.
   */
  readonly of?: 'modules' | 'libraries' | 'loaded' | 'product'
  /** Looked for where no literals and comments are. */
  readonly isInCode?: true
  readonly pattern: RegExp
  /** What it reaches for, in words; `$1` is what the pattern caught. */
  readonly words: string
}
