import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, relative, resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { build, type Plugin } from 'vite'

/**
 * A module that declares `__dirname` itself keeps it under another name: electron-vite puts a declaration of its
 * own into every chunk that speaks of one, and two of them are a syntax error that shows only when the chunk is
 * loaded.
 */
const ownDirname: Plugin = {
  name: 'own-dirname',
  transform: (code) =>
    /\bconst __dirname\b/.test(code)
      ? { code: code.replace(/\b__dirname\b/g, 'moduleDirectory'), map: null }
      : null,
}

/**
 * Writes down which npm packages a part holds, as `packages.json` beside it: folder, name, version. The bill of
 * materials and the licences that go with a package are made from it.
 */
const listPackages: Plugin = {
  name: 'list-packages',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []))
    const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [])
    const packages = [...new Set(folders)].sort().map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      return { folder: relative(import.meta.dirname, folder), name, version }
    })
    this.emitFile({ type: 'asset', fileName: 'packages.json', source: JSON.stringify(packages, null, 1) })
  },
}

/** SQLite's WebAssembly, where its script looks for it: beside the chunk that holds it. */
const sqliteFile: Plugin = {
  name: 'sqlite-file',
  generateBundle() {
    const file = 'node-sqlite3-wasm.wasm'
    const source = readFileSync(join(import.meta.dirname, 'node_modules/node-sqlite3-wasm/dist', file))
    this.emitFile({ type: 'asset', fileName: `chunks/${file}`, source })
  },
}

/**
 * Takes what Node.js itself brings from `process.getBuiltinModule`. Imported, every property of such a module is
 * read once, for its exports, and some of them load what we never ask for: `fetch` with node:http, the web's
 * cryptography with node:crypto, a third of a command's start.
 */
const builtinsAsNeeded: Plugin = {
  name: 'builtins-as-needed',
  renderChunk: (code) => ({ code: code.replace(STATIC_IMPORT, takeBuiltin), map: null }),
}

/**
 * `import NAME, { a, b as c } from "MODULE";` or `import * as NAME from "MODULE";`, as the bundler writes them:
 * each on a line.
 */
const STATIC_IMPORT = /^import (?:([$\w]+)(?:, )?)?(?:\* as ([$\w]+)|(\{[^}]*\}))? from "([^"]+)";$/gm

function takeBuiltin(
  statement: string,
  name: string | undefined,
  namespace: string | undefined,
  names: string | undefined,
  module: string,
): string {
  if (!isBuiltin(module)) return statement
  const bound = [name, namespace, names?.replaceAll(' as ', ': ')].filter((each) => each !== undefined)
  // By the global: `process` itself may be what is bound.
  return bound.map((each) => `const ${each} = globalThis.process.getBuiltinModule("${module}");`).join(' ')
}

/**
 * `status` as one file of its own beside the program. A chunk that is shared with the program brings all that the
 * program needs of it; here a vocabulary is its words only. It may hold no npm package: each would have to be
 * loaded before the answer.
 */
const statusAtOnce: Plugin = {
  name: 'status-at-once',
  async writeBundle({ dir }) {
    await build({
      configFile: false,
      logLevel: 'warn',
      plugins: [noPackages, builtinsAsNeeded],
      build: {
        ssr: resolve(import.meta.dirname, 'src/cli/status-at-once.ts'),
        target: 'node20.18',
        outDir: dir,
        emptyOutDir: false,
        minify: false,
        rollupOptions: {
          treeshake: { manualPureFunctions: ['z'], moduleSideEffects: false },
          output: { entryFileNames: '[name].js' },
        },
      },
      ssr: { noExternal: true },
    })
  },
}

const noPackages: Plugin = {
  name: 'no-packages',
  generateBundle(_options, bundle) {
    for (const part of Object.values(bundle)) {
      const found =
        part.type === 'chunk' &&
        Object.entries(part.modules).find(
          ([id, { renderedLength }]) => renderedLength > 0 && id.includes('node_modules'),
        )
      if (found) this.error(`${found[0]} is in ${part.fileName}, which may hold no package.`)
    }
  },
}

// Everything is bundled, so that the packaged app and the checkout run the same files without node_modules.
// The targets are Electron 33's, the oldest runtime the app is tested in (docs/decisions/0001-runtimes.md).
export default defineConfig({
  main: {
    plugins: [ownDirname, listPackages, sqliteFile, builtinsAsNeeded, statusAtOnce],
    build: {
      externalizeDeps: false,
      target: 'node20.18',
      rollupOptions: {
        input: {
          index: resolve(import.meta.dirname, 'src/main/index.ts'),
          cli: resolve(import.meta.dirname, 'src/cli/index.ts'),
          'verify-record': resolve(import.meta.dirname, 'src/main/ledger/verify-record.ts'),
          worker: resolve(import.meta.dirname, 'src/main/worker.ts'),
          'report-server': resolve(import.meta.dirname, 'src/main/mcp/report-server.ts'),
        },
      },
    },
  },
  preload: {
    plugins: [listPackages],
    build: {
      externalizeDeps: false,
      target: 'node20.18',
      rollupOptions: {
        input: { index: resolve(import.meta.dirname, 'src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve(import.meta.dirname, 'src/renderer'),
    plugins: [react(), listPackages],
    build: {
      target: 'chrome130',
      minify: true,
      rollupOptions: {
        input: resolve(import.meta.dirname, 'src/renderer/index.html'),
        // The vocabularies keep their schema beside their words: the page, which needs the words, leaves zod behind.
        treeshake: { manualPureFunctions: ['z'] },
        // What the first screen needs is one file, not ninety: each is asked for by itself, and the app's window waits for all of them.
        output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } },
      },
    },
  },
})
