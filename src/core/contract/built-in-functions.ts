/** A function that checks may call in addition to CEL's own. */
interface BuiltInFunction {
  readonly name: string
  readonly signature: string
  readonly doc: string
}

/** The functions that checks may call; the verifier implements them. Paths are relative to the workspace. */
export const BUILT_IN_FUNCTIONS: readonly BuiltInFunction[] = [
  {
    name: 'exists',
    signature: 'exists(path: string): bool',
    doc: 'True if a file or folder exists at the path.',
  },
  {
    name: 'changed',
    signature: 'changed(glob: string): bool',
    doc: 'True if this attempt added, changed or deleted a file matching the glob.',
  },
  {
    name: 'contains',
    signature: 'contains(path: string, text: string): bool',
    doc: 'True if the file at the path contains the text.',
  },
  {
    name: 'lines',
    signature: 'lines(path: string): int',
    doc: 'The number of lines in the file at the path.',
  },
  {
    name: 'json',
    signature: 'json(path: string): dyn',
    doc: 'The content of the JSON file at the path.',
  },
  {
    name: 'succeeds',
    signature: 'succeeds(command: string): bool',
    doc: 'True if the command exits with 0. Only approved commands run.',
  },
]
