import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Writes files below a folder, creating the folders they need; returns the folder. */
export async function writeFiles(
  directory: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), content)
  }
  return directory
}

/** Returns a file's text, or an empty string while there is no file: a function polled with `expect.poll` must not throw. */
export async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Returns the parsed content of a JSON file, `null` while there is no file. */
export async function jsonOf(file: string): Promise<unknown> {
  const text = await textOf(file)
  return text === '' ? null : JSON.parse(text)
}
