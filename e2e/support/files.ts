import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Writes files below a folder, with the folders they need; answers with the folder. */
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

/** A file's text, empty while there is none: what `expect.poll` asks for may throw as little as it may be there yet. */
export async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** What a file of JSON says, `null` while there is none. */
export async function jsonOf(file: string): Promise<unknown> {
  const text = await textOf(file)
  return text === '' ? null : JSON.parse(text)
}
