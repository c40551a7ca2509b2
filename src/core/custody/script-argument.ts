/** What a program's arguments make it execute. */
export type ScriptArgument =
  | { readonly kind: 'file'; readonly path: string; readonly isShell: boolean }
  /** The module in `python -m`. */
  | { readonly kind: 'module'; readonly name: string }
  /** Shell text. */
  | { readonly kind: 'shell'; readonly text: string }
  | {
      readonly kind: 'command'
      readonly words: readonly string[]
      readonly folder: string
      /** The packages of the workspace in which it runs, as the command names them; empty means all. */
      readonly packages?: readonly string[]
    }
  | {
      readonly kind: 'package-script'
      /** Names or patterns (`test:*`); each that exists is run. */
      readonly scripts: readonly string[]
      readonly folder: string
      /** As for `command`. */
      readonly packages?: readonly string[]
      /** What runs if the package has no script with that name. */
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
