import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeFileAtomically } from '../files/durable-file.ts'

const fileIn = (directory: string): string => join(directory, 'port')

/** Returns the port that this data folder's host used last, so that an open page finds it again. 0 if unknown. */
export async function keptPort(directory: string): Promise<number> {
  const text = await readFile(fileIn(directory), 'utf8').catch(() => '')
  const port = /^\d{1,5}\n?$/.test(text) ? Number(text) : 0
  return port <= 65_535 ? port : 0
}

/** Saves the port for the next start. Rejects with a `StorageError`. */
export async function keepPort(directory: string, port: number): Promise<void> {
  if ((await keptPort(directory)) !== port) await writeFileAtomically(fileIn(directory), `${port}\n`)
}
