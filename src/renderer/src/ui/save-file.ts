/** Saves a blob as a file in the downloads folder. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download keeps its own reference to the blob by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Returns a name reduced to letters, digits and similar characters, in any script. */
export function fileName(name: string): string {
  return name.replace(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[-.]+|[-.]+$/gu, '') || 'workspace'
}
