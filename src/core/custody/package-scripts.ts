/** One step behind `npm run NAME`. */
export interface PackageScript {
  readonly name: string
  readonly command: string
}

/** The script of a `package.json` with what runs before and after it, in order; `null` if the text is no such file. */
export function packageScripts(text: string, script: string): readonly PackageScript[] | null {
  const scripts = scriptsOf(text)
  if (scripts === null) return null
  return [`pre${script}`, script, `post${script}`].flatMap((name) => {
    const command = Object.hasOwn(scripts, name) ? scripts[name] : undefined
    return typeof command === 'string' ? [{ name, command }] : []
  })
}

function scriptsOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    if (typeof value !== 'object' || value === null || !('scripts' in value)) return null
    return typeof value.scripts === 'object' && value.scripts !== null
      ? (value.scripts as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
