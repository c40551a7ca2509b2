/** A hint as it was understood; see `parseHint`. */
export type Hint =
  | {
      readonly kind: 'expression'
      readonly source: string
      readonly probes: readonly string[]
      readonly functions: readonly string[]
    }
  /** A bare probe name, with the path into its value if any (`tests.passed` → `tests`, `['passed']`). */
  | {
      readonly kind: 'probe'
      readonly source: string
      readonly name: string
      readonly path: readonly string[]
    }
  /** `task_completed` and other words: judged on evidence. */
  | { readonly kind: 'words'; readonly source: string }
  /** Neither words nor an expression that parses. */
  | { readonly kind: 'broken'; readonly source: string; readonly reason: string }
