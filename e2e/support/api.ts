import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Returns where the running host of a data folder answers, and the token it requires. */
export async function hostAddress(
  dataDirectory: string,
): Promise<{ url: string; token: string; pid: number }> {
  const { port, token, pid } = JSON.parse(await readFile(join(dataDirectory, 'server.json'), 'utf8'))
  return { url: `http://127.0.0.1:${port}`, token, pid }
}

/** Returns what the running host of a data folder answers at a path of its API. */
export async function getApi<T>(dataDirectory: string, path: string): Promise<T> {
  const { url, token } = await hostAddress(dataDirectory)
  const response = await fetch(`${url}/api/${path}`, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`)
  return response.json() as Promise<T>
}

/** Returns the address that opens the page of a running host; it works once. */
export async function pageAddress(dataDirectory: string): Promise<string> {
  const { url, token } = await hostAddress(dataDirectory)
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/api/session/code`, { method: 'POST', headers })
  const { code } = (await response.json()) as { code: string }
  return `${url}/?code=${code}`
}
