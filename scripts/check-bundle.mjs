/*
 * `npm run bundle`: checks the gzipped size of the page's JavaScript against its budget. The first screen is what index.html
 * loads, including static imports; the rest is loaded when a screen is opened. Also checks that the desktop app opens its
 * window without loading any npm package: code that needs one is loaded later, by `import()`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { ensureBuilt } from './ensure-built.mjs'

/** Kibibytes. Allows a first screen within a second on a slow machine; the editor and the charts are most of the rest. */
const BUDGET = { first: 200, total: 700 }

const root = join(import.meta.dirname, '..')
await ensureBuilt(root)
const renderer = join(root, 'out/renderer')
const assets = join(renderer, 'assets')
const scripts = new Map(
  readdirSync(assets)
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readFileSync(join(assets, name), 'utf8')]),
)
const sizes = new Map([...scripts].map(([name, text]) => [name, gzipSync(text, { level: 9 }).length / 1024]))

/** Static imports in a script of the page: `from"./x.js"` and `import"./x.js"`, not `import("./x.js")`. */
const IMPORTED = /(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g
/**
 * Static imports in a script of the program, which is CommonJS: at the start of a line. Elsewhere in a line it is an
 * `import()`.
 */
const REQUIRED = /^(?:const \w+ = )?require\("\.\/([^"]+\.js)"\)/gm

/** Returns the scripts of these names among `all`, with everything they import statically; `named` matches an import. */
function loadedWith(names, all, named) {
  const loaded = new Set()
  const queue = [...names]
  for (const name of queue) {
    if (loaded.has(name) || !all.has(name)) continue
    loaded.add(name)
    queue.push(...[...all.get(name).matchAll(named)].map(([, found]) => found))
  }
  return loaded
}

const page = readFileSync(join(renderer, 'index.html'), 'utf8')
const first = loadedWith(
  [...page.matchAll(/(?:src|href)="[^"]*?([^"/]+\.js)"/g)].map(([, name]) => basename(name)),
  scripts,
  IMPORTED,
)

const sum = (names) => [...names].reduce((kib, name) => kib + sizes.get(name), 0)
// A document of the help screen is only read, and is loaded when it is opened, so its size does not count.
const documents = [...scripts.keys()].filter((name) => /^(?:var|const) \w+=[`"']# /.test(scripts.get(name)))
const weights = { first: sum(first), total: sum(scripts.keys()) - sum(documents) }
const largest = [...sizes].sort(([, a], [, b]) => b - a).slice(0, 6)
console.log(
  `Page, gzipped: first screen ${weights.first.toFixed(1)} of ${BUDGET.first} KiB, all ${weights.total.toFixed(1)} of ${BUDGET.total} KiB, ${documents.length} documents ${sum(documents).toFixed(1)} KiB. Largest: ${largest.map(([name, kib]) => `${name} ${kib.toFixed(1)}${first.has(name) ? ' (first)' : ''}`).join(', ')}.`,
)
const over = Object.keys(BUDGET).filter((part) => weights[part] > BUDGET[part])
if (first.size === 0) {
  console.error(
    'No script of the first screen was found in out/renderer/index.html. Check scripts/check-bundle.mjs.',
  )
  process.exitCode = 1
}
if (over.length > 0) {
  console.error(
    `Over budget: ${over.join(', ')}. Load what the first screen does not need when it is shown (src/renderer/src/ui/lazy-named.ts), or say in scripts/check-bundle.mjs why the budget must grow.`,
  )
  process.exitCode = 1
}

const chunks = join(root, 'out/main/chunks')
const parts = new Map(
  readdirSync(chunks)
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readFileSync(join(chunks, name), 'utf8')]),
)
const beforeWindow = loadedWith(
  [...parts.keys()].filter((name) => name.startsWith('desktop-app-')),
  parts,
  REQUIRED,
)
// The bundler names each module's file above its text.
const packages = new Set(
  [...beforeWindow].flatMap((name) =>
    [...parts.get(name).matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm)].map(([, found]) => found),
  ),
)
// There are always several scripts. With only one, the build's output format has changed.
if (beforeWindow.size < 2 || packages.size > 0) {
  console.error(
    `The desktop app's window would wait for ${[...packages].join(', ') || 'a script that was not found (check scripts/check-bundle.mjs)'}. Load it later (src/main/desktop-app.ts), or keep a schema apart from its words (src/core/vocabulary/standing-schema.ts).`,
  )
  process.exitCode = 1
}
