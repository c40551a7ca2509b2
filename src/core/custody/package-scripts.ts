import picomatch from 'picomatch'

/** One script that `npm run NAME` runs. */
export interface PackageScript {
  readonly name: string
  readonly command: string
}

/**
 * The scripts of a `package.json` that these names or patterns (`test:*`) select, with what runs before and after each, in order; `null` if
 * the text is no such file.
 */
export function packageScripts(text: string, asked: readonly string[]): readonly PackageScript[] | null {
  const scripts = scriptsOf(text)
  if (scripts === null) return null
  const called = asked.flatMap((name) => {
    if (!name.includes('*')) return [name]
    const isMatch = picomatch(asPath(name), { format: asPath })
    return Object.keys(scripts).filter((each) => isMatch(each))
  })
  return called
    .flatMap((script) => [`pre${script}`, script, `post${script}`])
    .flatMap((name) => {
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

/** As in paths, `*` in a pattern matches one part and `**` all that follow. */
function asPath(name: string): string {
  return name.replaceAll(':', '/')
}
