import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/**
 * Evaluates `call` in another process that has no file descriptor left, with the exports of `module` as `it`. Returns the value, or the
 * message that it rejects with, as text. Not on Windows.
 */
export async function withoutDescriptors(module: URL, call: string): Promise<string> {
  const program = `import { openSync } from 'node:fs'
    const it = await import(${JSON.stringify(module.href)})
    try { for (;;) openSync('/dev/null') } catch {}
    const said = await (async () => JSON.stringify(await ${call}))().catch((error) => error.message)
    process.stdout.write(said)`
  const { stdout } = await promisify(execFile)('sh', [
    ...['-c', 'ulimit -n 128; exec "$0" "$@"', process.execPath],
    ...['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program],
  ])
  return stdout
}
