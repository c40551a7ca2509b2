import { z } from 'zod'

/** Instead of a path: that there is none. `*` and `.` are paths, of everything and of the workspace. */
const NO_FILE = new RegExp(
  `^[\\s"'\`(<[_–—-]*(?:${[
    '(?:none|n/?a|nil|null|nothing|keine?(?: (?:dateien|änderungen))?)[\\s"\'`)>\\]_.!–—-]*$',
    'no (?:new |other |source )?(?:files?|changes?)(?:[.!)]*$|[\\s,;:(–—-])',
    '$',
  ].join('|')})`,
  'iu',
)
const NOT_WRITTEN =
  '(?:(?:un(?:changed|modified|touched)|not (?:changed|modified|touched|edited|written)|no changes?|already)\\b[^()]{0,200}|(?:read|viewed|reviewed|inspected)(?:[ -]only)?)'
/** A remark behind a path by which it is not claimed to have been written: ` (unchanged)`, ` - already correct`. */
const DENIAL = new RegExp(`\\s(?:\\(${NOT_WRITTEN}\\)|[-–—] ${NOT_WRITTEN})$`, 'i')

/** What a report's `files` names; agents that keep a file's lines apart write an object where a path is asked for. */
export function pathsOf(files: unknown): unknown {
  return Array.isArray(files) ? files.map(pathOfObject) : pathOfObject(files)
}

/** Whether an entry of `files` says itself that no file was written, or not the one it names. */
export function deniesWriting(entry: string): boolean {
  const text = entry.trim()
  return NO_FILE.test(text) || DENIAL.test(text)
}

const objectSchema = z.record(z.string(), z.unknown())

function pathOfObject(item: unknown): unknown {
  const object = objectSchema.safeParse(item)
  return object.success ? (object.data.path ?? object.data.file ?? item) : item
}
