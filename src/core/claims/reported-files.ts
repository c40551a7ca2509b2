import { z } from 'zod'

/** Texts that agents write instead of a path if there is none. `*` and `.` are paths: everything, and the workspace. */
const NO_FILE = new RegExp(
  `^[\\s"'\`(<[_–—-]*(?:${[
    '(?:none|n/?a|nil|null|nothing|keine?(?: (?:dateien|änderungen))?)[\\s"\'`)>\\]_.!–—-]*$',
    'no (?:new |other |source )?(?:files?|changes?)(?:[.!)]*$|[\\s,;:(–—-])',
    '$',
  ].join('|')})`,
  'iu',
)
/** Texts for additional files without names: `...`, `and 3 more`, `+2 other files`, `etc.` */
const UNNAMED =
  /^[\s([]*(?:(?:\.{3}|…)?\s*(?:(?:and|plus|\+|und|et)?\s*\d+\s+(?:more|others?|weitere|autres)|and (?:more|others))(?: (?:files?|dateien|fichiers))?|\.{3}|…|etc)[\s)\].…]*$/iu
/** A longer entry does name something. */
const MAX_UNNAMED = 60
const NOT_WRITTEN =
  '(?:(?:unver[äa]ndert|nicht (?:ge|ver)ändert|keine änderung|inchang|non modifié|sans changement|sin cambios|sin modificar|未修改|未更改|未变|无变化|変更なし)[^()]{0,200}|(?:un(?:changed|modified|touched)|not (?:changed|modified|touched|edited|written)|no changes?|already)\\b[^()]{0,200}|(?:read|viewed|reviewed|inspected)(?:[ -]only)?)'
const LOOKED_AT = '(?:verified|checked|(?:read|viewed|reviewed|inspected)(?:[ -]only)?|confirmed)[,;:]? '
/** A remark after a path that says the file was not written: ` (unchanged)`, ` - already correct`, ` (checked, no changes)`. */
const DENIAL = new RegExp(
  `(?:\\s\\((?:${LOOKED_AT})?${NOT_WRITTEN}\\)|（${NOT_WRITTEN}）|\\s[-–—] (?:${LOOKED_AT})?${NOT_WRITTEN})$`,
  'i',
)

/**
 * Returns the paths that a report's `files` names. Agents that keep a file's lines apart write an object instead of a path, and
 * some write actions by path (`{"a.ts": "created"}`) or paths by action (`{"created": ["a.ts"]}`).
 */
export function pathsOf(files: unknown): unknown {
  if (Array.isArray(files)) return files.map(pathOfObject)
  const object = objectSchema.safeParse(files)
  if (!object.success || 'path' in object.data || 'file' in object.data) return pathOfObject(files)
  const paths = Object.entries(object.data).flatMap(([key, value]) => {
    if (WRITTEN.test(key)) return [value].flat().map(pathOfObject)
    return typeof value === 'string' && /[./]/.test(key) ? [withDenial(key, value)] : []
  })
  return paths.length > 0 ? paths : files
}

/** Returns whether an entry of `files` itself says that no file was written, or not the one it names. */
export function deniesWriting(entry: string): boolean {
  const text = entry.trim()
  return NO_FILE.test(text) || DENIAL.test(text.normalize())
}

/** Returns whether an entry of `files` stands for unnamed files, which count neither for nor against the claim. */
export function namesNoFile(entry: string): boolean {
  return entry.length <= MAX_UNNAMED && UNNAMED.test(entry.normalize())
}

const objectSchema = z.record(z.string(), z.unknown())

const WRITTEN = /^(?:created|added|new|modified|changed|updated|edited|written|deleted|removed|renamed)$/i

function pathOfObject(item: unknown): unknown {
  const object = objectSchema.safeParse(item)
  if (!object.success) return item
  const { path = object.data.file, status, action, change } = object.data
  const said = [status, action, change].find((word) => typeof word === 'string')
  return typeof path === 'string' && typeof said === 'string' ? withDenial(path, said) : (path ?? item)
}

/** Returns a path, with its remark only if that denies writing; otherwise the remark would be read as part of the name. */
function withDenial(path: string, said: string): string {
  const remarked = `${path} (${said.replace(/[()]/g, ' ').trim()})`
  return deniesWriting(remarked) ? remarked : path
}
