import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

// Everything is bundled, so that the packaged app and the checkout run the same files without node_modules.
// The targets are Electron 33's, the oldest runtime the app is tested in (docs/decisions/0001-runtimes.md).
export default defineConfig({
  main: {
    build: {
      externalizeDeps: false,
      target: 'node20.18',
      rollupOptions: {
        input: {
          index: resolve(import.meta.dirname, 'src/main/index.ts'),
          cli: resolve(import.meta.dirname, 'src/cli/index.ts'),
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
