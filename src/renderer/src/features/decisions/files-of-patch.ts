/**
 * Returns the parts of an attempt's difference that are about these files, or inside one that is a folder; empty if there are none. Each
 * part begins with a line `# changed PATH`, `# new PATH`, `# deleted PATH` or `# renamed PATH to PATH`.
 */
export function filesOfPatch(patch: string, files: readonly string[]): string {
  // Paths of files above the workspace contain `..`; in the difference they don't.
  const wanted = files.map((path) => path.replace(/^(?:\.\.\/)+/, '').replace(/\s+/gu, ' '))
  return patch
    .split(/^(?=# (?:changed|new|deleted|renamed) )/m)
    .filter((part) => namesOf(part).some((name) => wanted.some((path) => isIn(name, path))))
    .join('')
}

function namesOf(part: string): readonly string[] {
  const [, how, names = ''] = /^# (changed|new|deleted|renamed) (.*)$/m.exec(part) ?? []
  return how === 'renamed' ? names.split(' to ') : [names]
}

function isIn(name: string, path: string): boolean {
  return name === path || (path.endsWith('/') && name.startsWith(path))
}
