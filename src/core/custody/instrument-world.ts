/** The workspace as these rules need it. Paths are relative to the folder in which checks run. */
export interface InstrumentWorld {
  /** Returns the text of a file of moderate size; `null` if there is none. */
  readonly readText: (path: string) => string | null
  /** Whether this is a regular file. */
  readonly isFile: (path: string) => boolean
  /** Names of the folders in a folder, without links. */
  readonly foldersIn: (path: string) => readonly string[]
}
