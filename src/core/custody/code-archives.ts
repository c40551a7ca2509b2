/*
 * Archives from which Python imports modules. It finds their modules before or instead of the sources, and no one reviews an
 * archive.
 */

const ON_PATH = /\b(?:sys\.path|addsitedir|zipimporter|run_path|PYTHONPATH)\b[^\n]{0,300}/g
const ARCHIVE = /[\w@./-]{0,200}\w\.(?:zip|egg|whl|pyz)\b/g

/** Returns the archives that a script or command adds to the module path, as written. Pure; never throws. */
export function archivesOnPath(text: string): readonly string[] {
  const lines = text.match(ON_PATH) ?? []
  return [...new Set(lines.flatMap((line) => line.match(ARCHIVE) ?? []))]
}
