import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import type { Plugin } from 'vite'

/**
 * A module that declares `__dirname` itself keeps it under another name: electron-vite puts a declaration of its own into every chunk
 * that speaks of one, and two of them are a syntax error that shows only when the chunk is loaded.
 */
const ownDirname: Plugin = {
  name: 'own-dirname',
  transform: (code) =>
    /\bconst __dirname\b/.test(code)
      ? { code: code.replace(/\b__dirname\b/g, 'moduleDirectory'), map: null }
      : null,
}

// Everything is bundled, so that the packaged app and the checkout run the same files without node_modules.
// The targets are Electron 33's, the oldest runtime the app is tested in (docs/decisions/0001-runtimes.md).
export default defineConfig({
  main: {
    plugins: [ownDirname],
    build: {
      externalizeDeps: false,
      target: 'node20.18',
      rollupOptions: {
        input: {
          index: resolve(import.meta.dirname, 'src/main/index.ts'),
          cli: resolve(import.meta.dirname, 'src/cli/index.ts'),
          'verify-record': resolve(import.meta.dirname, 'src/main/ledger/verify-record.ts'),
          'report-server': resolve(import.meta.dirname, 'src/main/mcp/report-server.ts'),
        },
      },
    },
  },
  preload: {
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
    plugins: [react()],
    build: {
      target: 'chrome130',
      minify: true,
      rollupOptions: {
        input: resolve(import.meta.dirname, 'src/renderer/index.html'),
        // The vocabularies keep their schema beside their words: the page, which needs the words, leaves zod behind.
        treeshake: { manualPureFunctions: ['z'] },
      },
    },
  },
})
