/** One function of ours that a hint may call, beside those of CEL itself. */
interface BuiltInFunction {
  readonly name: string
  readonly signature: string
  /** One line for the editor's completion. */
  readonly doc: string
}

/** The functions that hints may call; the verifier carries them out. Paths are relative to the workspace. */
export const BUILT_IN_FUNCTIONS: readonly BuiltInFunction[] = [
  {
    name: 'exists',
    signature: 'exists(path: string): bool',
    doc: 'Whether there is a file or folder at the path.',
  },
  {
    name: 'changed',
    signature: 'changed(glob: string): bool',
    doc: 'Whether this attempt added, changed or deleted a file that the glob matches.',
  },
  {
    name: 'contains',
    signature: 'contains(path: string, text: string): bool',
    doc: 'Whether the file at the path holds the text.',
  },
  {
    name: 'lines',
    signature: 'lines(path: string): int',
    doc: 'How many lines the file at the path has.',
  },
  {
    name: 'json',
    signature: 'json(path: string): dyn',
    doc: 'The content of the JSON file at the path.',
  },
  {
    name: 'succeeds',
    signature: 'succeeds(command: string): bool',
    doc: 'Whether the command exits with 0; only approved commands are run.',
  },
]
