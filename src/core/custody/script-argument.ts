/** What a program is told to execute by its arguments. */
export type ScriptArgument =
  | { readonly kind: 'file'; readonly path: string; readonly isShell: boolean }
  /** `python -m`. */
  | { readonly kind: 'module'; readonly name: string }
  /** Text of a shell. */
  | { readonly kind: 'shell'; readonly text: string }
  | { readonly kind: 'command'; readonly words: readonly string[]; readonly folder: string }
  | {
      readonly kind: 'package-script'
      readonly script: string
      readonly folder: string
      /** What is run where the package has no script of that name. */
      readonly otherwise: readonly string[] | null
    }
  | {
      readonly kind: 'make'
      readonly tool: 'make' | 'just'
      readonly file: string | null
      readonly targets: readonly string[]
      readonly folder: string
    }
  /** Globs of the files that are built and run. */
  | { readonly kind: 'sources'; readonly globs: readonly string[] }
  /** Code in the argument itself, which is pinned with the command. */
  | { readonly kind: 'code' }
  | { readonly kind: 'none' }

export const NO_SCRIPT: ScriptArgument = { kind: 'none' }
