/** Functions and names in test files, or in their configuration, that run around every test. */
const HOOKS: readonly (readonly [files: RegExp, hook: RegExp])[] = [
  [/_test\.go$/, /^func[ \t]+(TestMain)[ \t]*\(/gm],
  [/\.py$/, /^(?:async[ \t]+)?def[ \t]+(pytest_\w+)[ \t]*\(/gm],
  [/\.rb$/, /\b(at_exit|(?:Minitest\.)?after_run|filter_run(?:_excluding)?|exclusion_filter)\b/g],
  [/\.exs$/, /\b(ExUnit\.configure|System\.(?:at_exit|halt))\b/g],
  [/\.(?:pm|t)$/, /^(END|BEGIN)[ \t]*\{/gm],
]

/** Returns the hooks that a change added to a file, each once, in order. Pure; never throws. */
export function newHooks(path: string, before: string | null, after: string | null): readonly string[] {
  const known = new Set(hooksOf(path, before ?? ''))
  return [...new Set(hooksOf(path, after ?? ''))].filter((hook) => !known.has(hook))
}

function hooksOf(path: string, text: string): readonly string[] {
  return HOOKS.flatMap(([files, hook]) =>
    files.test(path) ? [...text.matchAll(hook)].map(([, name = '']) => name) : [],
  )
}
